import type { MessageInitShape } from '@bufbuild/protobuf';

import type { KindValues } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import type { TabFilter } from '#commands/model/tab-filter.ts';
import { toTimeRange } from '#commands/model/time.ts';
import { ALL_TIME } from '#commands/model/wire.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import type { TimeRangeSchema } from '#proto/gen/hiber/base_pb.ts';

/** The parameters that filter a delivery history (spec 3: history request). */
export const historyParams = { onlyFailures: p.flag(), period: p.range({ partial: true }) };

export const historyFilters: Readonly<Record<keyof typeof historyParams, TabFilter>> = {
  onlyFailures: { label: message('core:narrow.onlyFailures'), param: historyParams.onlyFailures },
  period: { label: message('core:narrow.period'), param: historyParams.period },
};

/** Returns the contract's selection for a delivery history. */
export function historySelection(
  { now, preferences }: Context,
  filterValues: Args,
): { readonly onlyFailures?: true; readonly timeRange: MessageInitShape<typeof TimeRangeSchema> } {
  const period = filterValues['period'] as KindValues['range'] | undefined;
  return {
    ...(filterValues['onlyFailures'] === true ? { onlyFailures: true } : {}),
    timeRange: period ? toTimeRange(period, now(), firstDay(preferences)) : ALL_TIME,
  };
}

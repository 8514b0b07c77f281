import type { MessageInitShape } from '@bufbuild/protobuf';

import type { KindValues } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Narrowing } from '#commands/model/narrowing.ts';
import { p } from '#commands/model/params.ts';
import { toTimeRange } from '#commands/model/time.ts';
import { EVER } from '#commands/model/wire.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import type { TimeRangeSchema } from '#proto/gen/hiber/base_pb.ts';

/** How delivery histories can be narrowed (spec 3: history request). */
export const historyParams = { onlyFailures: p.flag(), period: p.range({ partial: true }) };

export const historyNarrowing: Readonly<Record<keyof typeof historyParams, Narrowing>> = {
  onlyFailures: { label: message('core:narrow.onlyFailures'), param: historyParams.onlyFailures },
  period: { label: message('core:narrow.period'), param: historyParams.period },
};

/** Returns the contract's selection of a delivery history. */
export function historySelection(
  { now, preferences }: Context,
  narrowing: Args,
): { readonly onlyFailures?: true; readonly timeRange: MessageInitShape<typeof TimeRangeSchema> } {
  const period = narrowing['period'] as KindValues['range'] | undefined;
  return {
    ...(narrowing['onlyFailures'] === true ? { onlyFailures: true } : {}),
    timeRange: period ? toTimeRange(period, now(), firstDay(preferences)) : EVER,
  };
}

import type { MessageInitShape } from '@bufbuild/protobuf';

import type { TimeRangeSchema } from '#proto/gen/hiber/base_pb.ts';
import type { KindValues } from './arg-value.ts';
import type { Context } from './context.ts';
import type { Args } from './invocation.ts';
import { message } from './message.ts';
import type { Narrowing } from './narrowing.ts';
import { p } from './params.ts';
import { firstDay } from './preferences.ts';
import { toTimeRange } from './time.ts';
import { EVER } from './wire.ts';

/** What histories of deliveries are narrowed down by (spec 3: history request). */
export const historyParams = { onlyFailures: p.flag(), period: p.range({ partial: true }) };

export const historyNarrowing: Readonly<Record<keyof typeof historyParams, Narrowing>> = {
  onlyFailures: { label: message('core:narrow.onlyFailures'), param: historyParams.onlyFailures },
  period: { label: message('core:narrow.period'), param: historyParams.period },
};

/** The contract's selection of a history. */
export function historySelection(
  { now, preferences }: Context,
  narrow: Args,
): { readonly onlyFailures?: true; readonly timeRange: MessageInitShape<typeof TimeRangeSchema> } {
  const period = narrow['period'] as KindValues['range'] | undefined;
  return {
    ...(narrow['onlyFailures'] === true ? { onlyFailures: true } : {}),
    timeRange: period ? toTimeRange(period, now(), firstDay(preferences)) : EVER,
  };
}

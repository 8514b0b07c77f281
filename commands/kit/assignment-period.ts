import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { toMs } from '#commands/model/wire.ts';
import { momentFormat } from '#commands/session/preferences.ts';
import { message, type Message } from '#commands/text/message.ts';
import { formatMoment } from '#commands/text/moment.ts';

type Time = Parameters<typeof toMs>[0];

/** Returns the period of an assignment, in the user's time format. An assignment without an end is current. */
export function assignmentPeriod(start: Time, end: Time, { preferences }: Pick<Context, 'preferences'>): Message {
  const format = momentFormat(preferences);
  const textAt = (ms: number | undefined): string => (ms === undefined ? '' : formatMoment(ms, format));
  const [since, until] = [toMs(start), toMs(end)];
  return until === undefined
    ? message('common:period.current', { from: textAt(since) })
    : message('common:period.past', { from: textAt(since), until: textAt(until) });
}

/** A panel's column for {@link assignmentPeriod}. It is wide enough to get its own line, below the names. */
export const periodColumn: Column<{ readonly period: Message }> = {
  id: 'period',
  kind: 'text',
  width: 330,
  grow: 1,
  value: ({ period }) => period,
};

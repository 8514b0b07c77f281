import type { Context } from '#commands/model/context.ts';
import type { Change } from '#commands/model/plan.ts';
import { momentFormat } from '#commands/session/preferences.ts';
import { message, shortList, type Message } from '#commands/text/message.ts';
import { formatMoment } from '#commands/text/moment.ts';

import type { Period, Pair, Effect, OverrideFlags } from './periods.ts';

/** Maximum number of conflicts to name in a message. The others are counted. */
const MAX_NAMED = 3;

/** Formats a time for plans and messages. */
export function timeText(ms: number, { preferences }: Pick<Context, 'preferences'>): string {
  return formatMoment(ms, momentFormat(preferences));
}

/** Describes a period by the name of the other side: `Kestrel 7, from 5 Oct 2026`. */
export function periodText(name: string, { since, until, fields }: Period, context: Context): Message {
  const from = timeText(since, context);
  const text =
    until === undefined
      ? message('process-point:period.current', { name, from })
      : message('process-point:period.past', { name, from, until: timeText(until, context) });
  return fields.length === 0 ? text : message('process-point:period.fields', { text, fields: fields.join(', ') });
}

/** Returns the change of an item's periods. Each period is named after the other side of the pair. */
export function periodsChange(
  item: { readonly id: string; readonly label: string },
  field: Message,
  parts: readonly { readonly name: string; readonly before: readonly Period[]; readonly after: readonly Period[] }[],
  context: Context,
): Change {
  const differences = parts.map(({ name, before, after }) => {
    const [old, current] = [before, after].map((list) => list.map((period) => periodText(name, period, context)));
    const isIn = (list: readonly Message[] = [], message: Message): boolean =>
      list.some((entry) => JSON.stringify(entry) === JSON.stringify(message));
    return {
      added: (current ?? []).filter((text) => !isIn(old, text)),
      removed: (old ?? []).filter((text) => !isIn(current, text)),
    };
  });
  return {
    ...item,
    field,
    added: differences.flatMap(({ added }) => added),
    removed: differences.flatMap(({ removed }) => removed),
  };
}

interface PairEffect extends Pair {
  readonly effect: Effect;
}

/** Returns notes about the assignments that a new one would end or delete, with their devices and starts. */
export function effectNotes(pairs: readonly PairEffect[], since: number, context: Context): readonly Message[] {
  const at = timeText(since, context);
  const ended = pairs.flatMap(({ effect, device, point }) =>
    effect.ended.map((period) =>
      message('process-point:plan.ends', {
        device: device.label,
        point: point.label,
        from: timeText(period.since, context),
        at,
      }),
    ),
  );
  const deleted = pairs.flatMap(({ effect, device, point }) =>
    effect.deleted.map((period) =>
      message('process-point:plan.deletes', {
        device: device.label,
        point: point.label,
        from: timeText(period.since, context),
      }),
    ),
  );
  return [...limitNotes(ended), ...limitNotes(deleted)];
}

/** Limits the number of similar notes, and counts the others. */
export function limitNotes(notes: readonly Message[]): readonly Message[] {
  const count = notes.length - MAX_NAMED;
  return count > 0 ? [...notes.slice(0, MAX_NAMED), message('process-point:plan.more', { count })] : notes;
}

/**
 * Returns the conflicts that the flags don't override, and the flags that would. Undefined if there are none.
 */
export function conflictMessage(
  pairs: readonly PairEffect[],
  since: number,
  { override, allowDelete }: OverrideFlags,
  context: Context,
): Message | undefined {
  const conflicts = (kind: keyof Effect): readonly Message[] =>
    pairs.flatMap(({ effect, device, point }) =>
      effect[kind].map((period) => conflictText(device.label, point.label, period, context)),
    );
  const [ended, deleted] = [conflicts('ended'), conflicts('deleted')];
  const needsDelete = deleted.length > 0 && !(override && allowDelete);
  const rejected = [...(override ? [] : ended), ...(needsDelete ? deleted : [])];
  const names = shortList(rejected, MAX_NAMED);
  if (names === undefined) return undefined;
  const at = timeText(since, context);
  const deleteKey = override ? 'conflictDeleteToo' : ended.length === 0 ? 'conflictDelete' : 'conflictBoth';
  const key = needsDelete ? deleteKey : 'conflictEnd';
  return message(`process-point:validation.${key}`, { conflicts: names, at });
}

export function conflictText(device: string, point: string, { since, until }: Period, context: Context): Message {
  const from = timeText(since, context);
  return until === undefined
    ? message('process-point:validation.measures', { device, point, from })
    : message('process-point:validation.measured', { device, point, from, until: timeText(until, context) });
}

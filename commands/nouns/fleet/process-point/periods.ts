import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';

import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Change } from '#commands/model/plan.ts';
import { toMs } from '#commands/model/wire.ts';
import { selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
import { chunks, IDS_PER_REQUEST, loadAllPages } from '#commands/run/paging.ts';
import { momentFormat } from '#commands/session/preferences.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, shortList, type Message } from '#commands/text/message.ts';
import { formatMoment } from '#commands/text/moment.ts';
import {
  type Assign_RequestSchema,
  type Assignment,
  AssignmentService,
  AssignmentType,
} from '#proto/gen/hiber/assignment_pb.ts';
import type { TimestampSchema } from '#proto/gen/hiber/base_pb.ts';

import type { PointItem } from './item.ts';

/** The time during which a device measures a process point, in ms since the epoch. */
export interface Period {
  readonly since: number;
  /** Exclusive; undefined for a current assignment. */
  readonly until: number | undefined;
  /** JSON paths of the shared fields; empty means all. */
  readonly fields: readonly string[];
}

/** A process point and a device, with their names for messages. */
export interface Pair {
  readonly organization: string;
  readonly point: { readonly id: string; readonly label: string };
  readonly device: { readonly id: string; readonly label: string };
}

export interface PairPeriods extends Pair {
  /** Ordered by their start. */
  readonly periods: readonly Period[];
}

/** @throws CommandError if there is not exactly one point */
export function onlyPoint(points: readonly PointItem[]): PointItem {
  const [point, another] = points;
  if (point && !another) return point;
  throw new CommandError(message('process-point:validation.onePoint'), 'processPoints');
}

/** The effect of a new period on the existing periods of the same device at the same point. */
export interface Effect {
  /** Periods that would end when the new one starts. */
  readonly ended: readonly Period[];
  /** Periods that the new one would replace entirely. */
  readonly deleted: readonly Period[];
}

/** Ends or deletes the periods that a new one conflicts with (contract: AssignmentService). */
export interface OverrideFlags {
  readonly override: boolean;
  readonly allowDelete: boolean;
}

/** Maximum number of conflicts to name in a message. The others are counted. */
const MAX_NAMED = 3;

const keyOf = (point: string, device: string): string => `${point} ${device}`;
export const pairKey = ({ point, device }: Pair): string => keyOf(point.id, device.id);

/**
 * Returns what a new period would do. A device may not overlap itself at one point (contract: ProcessPointService).
 * Undefined if an existing period covers it and shares the same fields, so nothing would change.
 */
export function findEffect(periods: readonly Period[], wanted: Period): Effect | undefined {
  const end = ({ until }: Period): number => until ?? Infinity;
  const covers = (period: Period): boolean =>
    period.since <= wanted.since && end(period) >= end(wanted) && sameFields(period.fields, wanted.fields);
  if (periods.some(covers)) return undefined;
  const conflicts = periods.filter((period) => period.since < end(wanted) && wanted.since < end(period));
  return {
    ended: conflicts.filter(({ since }) => since < wanted.since),
    deleted: conflicts.filter(({ since }) => since >= wanted.since),
  };
}

/** Returns the periods after adding a new one with the given effect. */
export function addPeriod(periods: readonly Period[], wanted: Period, { ended, deleted }: Effect): readonly Period[] {
  return [
    ...periods
      .filter((period) => !deleted.includes(period))
      .map((period) => (ended.includes(period) ? { ...period, until: wanted.since } : period)),
    wanted,
  ].toSorted((a, b) => a.since - b.since);
}

export function sameFields(a: readonly string[], b: readonly string[]): boolean {
  return [...a].toSorted().join('\n') === [...b].toSorted().join('\n');
}

export function samePeriods(a: readonly Period[], b: readonly Period[]): boolean {
  return (
    a.length === b.length &&
    a.every((period, index) => {
      const other = b[index]!;
      return period.since === other.since && period.until === other.until && sameFields(period.fields, other.fields);
    })
  );
}

/** Loads all periods of the given pairs, including past ones. */
export async function loadPeriods(context: Context, pairs: readonly Pair[]): Promise<readonly PairPeriods[]> {
  const byPair = new Map<string, Period[]>();
  for (const [organization, group] of groupBy(pairs, (pair) => pair.organization)) {
    const points = [...new Set(group.map(({ point }) => point.id))];
    const numbers = [...new Set(group.map(({ device }) => device.id))];
    for (const pointPart of chunks(points, IDS_PER_REQUEST)) {
      for (const numberPart of chunks(numbers, IDS_PER_REQUEST)) {
        const rows = await listAssignments(context, organization, { points: pointPart, numbers: numberPart });
        for (const { point, number, ...period } of rows) {
          const key = keyOf(point, number);
          byPair.set(key, [...(byPair.get(key) ?? []), period]);
        }
      }
    }
  }
  return pairs.map((pair) => ({
    ...pair,
    periods: (byPair.get(pairKey(pair)) ?? []).toSorted((a, b) => a.since - b.since),
  }));
}

/** An assignment of a device to a process point, as listed. */
export interface ListedPeriod extends Period {
  readonly point: string;
  readonly number: string;
}

/** Lists the current and past assignments of the given devices at the given points; either can be left open. */
export async function listAssignments(
  { api, signal }: Pick<Context, 'api' | 'signal'>,
  organization: string,
  { points, numbers }: { readonly points?: readonly string[]; readonly numbers?: readonly string[] },
): Promise<readonly ListedPeriod[]> {
  const assignments = await loadAllPages(async (pagination) => {
    const response = await api(AssignmentService).list(
      {
        organization,
        selection: {
          types: { include: [AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE] },
          ...(points ? { processPoints: { identifiers: [...points] } } : {}),
          ...(numbers ? { modems: selectNumbers(numbers) } : {}),
        },
        includeInactiveAssignments: true,
        useProcessPoint: true,
        pagination,
      },
      { signal },
    );
    return { items: response.assignments, pagination: response.pagination };
  });
  return assignments.flatMap((assignment) => readAssignment(assignment) ?? []);
}

function readAssignment({ assign, to, start, end, additionalConfiguration }: Assignment): ListedPeriod | undefined {
  const since = toMs(start);
  if (assign.case !== 'assignProcessPoint' || to.case !== 'toModem' || since === undefined) return undefined;
  const { case: kind, value } = additionalConfiguration;
  return {
    point: assign.value,
    number: to.value,
    since,
    until: toMs(end),
    fields: kind === 'processPointDevice' ? (value.sharedFields?.fields ?? []) : [],
  };
}

export const msToTimestamp = (ms: number): MessageInitShape<typeof TimestampSchema> => ({
  timestamp: timestampFromMs(ms),
});

/** Returns the request that assigns the devices to the points for a period. */
export function assignRequest(
  organization: string,
  points: readonly string[],
  numbers: readonly string[],
  { since, until, fields }: Period,
  { override, allowDelete }: OverrideFlags,
): MessageInitShape<typeof Assign_RequestSchema> {
  return {
    organization,
    assign: { case: 'assignModems', value: selectNumbers(numbers) },
    to: { case: 'toProcessPoints', value: { identifiers: [...points] } },
    overrideTime: msToTimestamp(since),
    ...(until === undefined ? {} : { endTime: msToTimestamp(until) }),
    ...(override ? { overrideConflictingAssignments: true } : {}),
    ...(override && allowDelete ? { overrideConflictingAssignmentsAllowDelete: true } : {}),
    ...(fields.length > 0
      ? {
          additionalConfiguration: {
            case: 'processPointDevice' as const,
            value: { sharedFields: { fields: [...fields] } },
          },
        }
      : {}),
  };
}

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
    const isIn = (list: readonly Message[] = [], text: Message): boolean =>
      list.some((entry) => JSON.stringify(entry) === JSON.stringify(text));
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

function limitNotes(notes: readonly Message[]): readonly Message[] {
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
  const key = needsDelete ? (override || ended.length === 0 ? 'conflictDelete' : 'conflictBoth') : 'conflictEnd';
  return message(`process-point:validation.${key}`, { conflicts: names, at });
}

export function conflictText(device: string, point: string, { since, until }: Period, context: Context): Message {
  const from = timeText(since, context);
  return until === undefined
    ? message('process-point:validation.measures', { device, point, from })
    : message('process-point:validation.measured', { device, point, from, until: timeText(until, context) });
}

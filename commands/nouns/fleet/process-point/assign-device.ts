import { send, type CallContext } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { command, type Command, type ResolvedArgs } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import type { AnyEntity, Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { maybeChanged, succeededResults, type Outcome } from '#commands/model/result.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { toSpan } from '#commands/model/time.ts';
import { device, selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
import type { Device } from '#commands/nouns/fleet/device/item.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';
import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';

import { restoringInvocations, storedPeriods, type StoredPeriods } from './assignment-rows.ts';
import { processPoint } from './entity.ts';
import type { PointItem } from './item.ts';
import {
  addPeriod,
  assignRequest,
  conflictMessage,
  effectNotes,
  findEffect,
  loadPeriods,
  periodsChange,
  msToTimestamp,
  timeText,
  type OverrideFlags,
  type Pair,
  type PairPeriods,
  type Period,
} from './periods.ts';

/** No assignment is older than this, so an earlier date is a typo. */
export const EARLIEST = '2000-01-01';

/** The maximum number of assignments per call (docs/contract-choices.md). */
const MAX_LINKS = 10_000;
const MAX_ITEMS = 500;

export const ASSIGNMENT_ABILITIES = ['VIEW_PROCESS_POINTS', 'VIEW_DEVICES', 'ASSIGNMENTS'] as const;

/** The side that the command acts on. The other side is an argument. */
type Side = 'processPoints' | 'devices';

interface Verb {
  readonly key: 'assignDevice' | 'unassignDevice';
  readonly params: Params;
  /** Returns the periods of a pair afterwards, or undefined if they stay as they are. */
  readonly after: (pair: PairPeriods, args: ResolvedArgs, now: Date, context: Context) => readonly Period[] | undefined;
  /** Throws if the server would reject the assignment. Returns notes for the plan. */
  readonly check: (
    pairs: readonly PairPeriods[],
    args: ResolvedArgs,
    now: Date,
    context: Context,
  ) => readonly Message[];
  readonly problems: (args: ResolvedArgs, context: Context) => Partial<Record<string, Message>>;
  readonly call: (
    context: CallContext,
    points: readonly string[],
    numbers: readonly string[],
    args: ResolvedArgs,
    now: Date,
  ) => Promise<unknown>;
}

type Preferred = Pick<Context, 'preferences'>;

/** Returns the start of a time argument. */
export function msOfTime(time: string, now: Date, { preferences }: Preferred): number {
  return toSpan(time, now, firstDay(preferences)).from;
}

const wantedPeriod = ({ from, until, fields }: ResolvedArgs, now: Date, context: Preferred): Period => ({
  since: msOfTime((from as string | undefined) ?? 'now', now, context),
  until: until === undefined ? undefined : msOfTime(until as string, now, context),
  fields: [...new Set((fields as readonly string[] | undefined) ?? [])],
});

const pickFlags = ({ override, allowDelete }: ResolvedArgs): OverrideFlags => ({
  override: override === true,
  allowDelete: allowDelete === true,
});

const assignVerb: Verb = {
  key: 'assignDevice',
  params: {
    from: p.time({ fallback: 'now', min: EARLIEST, max: 'now' }),
    until: p.time({ min: EARLIEST, max: 'now' }),
    fields: p.words(),
    override: p.flag(),
    allowDelete: p.flag(),
  },
  problems: (args, context) => {
    const { since, until } = wantedPeriod(args, context.now(), context);
    if (args['allowDelete'] === true && args['override'] !== true)
      return { allowDelete: message('process-point:validation.deleteWithoutOverride') };
    return until !== undefined && until <= since ? { until: message('process-point:validation.endBeforeStart') } : {};
  },
  after: ({ periods }, args, now, context) => {
    const period = wantedPeriod(args, now, context);
    const effect = findEffect(periods, period);
    return effect && addPeriod(periods, period, effect);
  },
  check: (pairs, args, now, context) => {
    const period = wantedPeriod(args, now, context);
    const effects = pairs.flatMap((pair) => {
      const effect = findEffect(pair.periods, period);
      return effect ? [{ ...pair, effect }] : [];
    });
    const conflict = conflictMessage(effects, period.since, pickFlags(args), context);
    if (conflict) throw new CommandError(conflict, args['override'] === true ? 'allowDelete' : 'override');
    return effectNotes(effects, period.since, context);
  },
  call: ({ api, organization, signal, preferences }, points, numbers, args, now) =>
    api(AssignmentService).assign(
      assignRequest(organization, points, numbers, wantedPeriod(args, now, { preferences }), pickFlags(args)),
      { signal },
    ),
};

const endOf = ({ at }: ResolvedArgs, now: Date, context: Preferred): number =>
  msOfTime((at as string | undefined) ?? 'now', now, context);

const unassignVerb: Verb = {
  key: 'unassignDevice',
  params: { at: p.time({ fallback: 'now', min: EARLIEST, max: 'now' }), deleteHistory: p.flag() },
  problems: ({ at = 'now', deleteHistory }) =>
    deleteHistory === true && at !== 'now' ? { at: message('process-point:validation.deleteAt') } : {},
  after: ({ periods }, args, now, context) => {
    if (args['deleteHistory'] === true) return periods.length > 0 ? [] : undefined;
    const end = endOf(args, now, context);
    return periods.some(({ until }) => until === undefined)
      ? periods.map((period) => (period.until === undefined ? { ...period, until: end } : period))
      : undefined;
  },
  check: (pairs, args, now, context) => {
    if (args['deleteHistory'] === true) {
      const count = pairs.reduce((sum, { periods }) => sum + periods.length, 0);
      return count > 0 ? [message('process-point:plan.deletesHistory', { count })] : [];
    }
    const end = endOf(args, now, context);
    for (const { periods, point, device: assigned } of pairs) {
      const laterPeriod = periods.find(({ since, until }) => until === undefined && since >= end);
      if (!laterPeriod) continue;
      throw new CommandError(
        message('process-point:validation.startsLater', {
          device: assigned.label,
          point: point.label,
          from: timeText(laterPeriod.since, context),
          at: timeText(end, context),
        }),
        'at',
      );
    }
    return [];
  },
  call: ({ api, organization, signal, preferences }, points, numbers, args, now) =>
    api(AssignmentService).unassign(
      {
        organization,
        unassign: { case: 'unassignModems', value: selectNumbers(numbers) },
        from: { case: 'fromProcessPoints', value: { identifiers: [...points] } },
        time:
          args['deleteHistory'] === true
            ? { case: 'removeTime', value: true }
            : { case: 'overrideTime', value: msToTimestamp(endOf(args, now, { preferences })) },
      },
      { signal },
    ),
};

/** The points and devices of a command. */
interface Sides {
  readonly points: readonly PointItem[];
  readonly devices: readonly Device[];
}

function resolveSides(side: Side, args: ResolvedArgs): Sides {
  return side === 'processPoints'
    ? {
        points: (args['processPoints'] as SelectedItems<PointItem>).items,
        devices: distinctItems(device, args['devices'] as readonly Device[]),
      }
    : {
        points: distinctItems(processPoint, args['processPoints'] as readonly PointItem[]),
        devices: (args['devices'] as SelectedItems<Device>).items,
      };
}

function distinctItems<Item>(entity: Entity<Item>, items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [entity.id(item), item])).values()];
}

export function createPair(point: PointItem, item: Device): Pair {
  return {
    organization: point.point.organization,
    point: { id: processPoint.id(point), label: processPoint.label(point) },
    device: { id: device.id(item), label: device.label(item) },
  };
}

/** @throws CommandError if a device and a point belong to different organizations, or if there are too many pairs */
function createPairs({ points, devices }: Sides): readonly Pair[] {
  const count = points.length * devices.length;
  if (count > MAX_LINKS) throw new CommandError(message('process-point:validation.tooMany', { count, max: MAX_LINKS }));
  return points.flatMap((point) =>
    devices.map((item) => {
      requireSameOrganization(point, item);
      return createPair(point, item);
    }),
  );
}

/** @throws CommandError if the device and the point belong to different organizations */
export function requireSameOrganization(point: PointItem, item: Device): void {
  if (point.point.organization === item.modem.organization) return;
  throw new CommandError(
    message('process-point:validation.otherOrganization', {
      device: device.label(item),
      point: processPoint.label(point),
    }),
  );
}

/**
 * The time that `now` means in a plan, to the second, as messages show it. The run uses the same time, so it does
 * exactly what the plan says, and undo recognizes the assignment.
 */
const plannedTimes = new WeakMap<ResolvedArgs, Date>();

export function plannedNow(args: ResolvedArgs, { now }: Pick<Context, 'now'>): Date {
  const plannedTime = plannedTimes.get(args) ?? new Date(Math.floor(now().getTime() / 1000) * 1000);
  plannedTimes.set(args, plannedTime);
  return plannedTime;
}

/** Returns a name for a single item, or else their number. */
function itemsText<Item>(entity: Entity<Item>, items: readonly Item[]): Message {
  const [first, ...others] = items;
  return first !== undefined && others.length === 0
    ? message('process-point:quoted', { name: entity.label(first) })
    : message(`${entity.name}:count`, { count: items.length });
}

function linkCommand(side: Side, id: `process-point.${string}`, verb: Verb, keys: readonly string[]): Command {
  const entity = (side === 'processPoints' ? processPoint : device) as unknown as AnyEntity;
  const other = side === 'processPoints' ? 'devices' : 'processPoints';
  const field = message(
    side === 'processPoints' ? 'process-point:fields.devices' : 'process-point:fields.processPoints',
  );
  const labels = (args: ResolvedArgs) => {
    const { points, devices } = resolveSides(side, args);
    return { points: itemsText(processPoint, points), devices: itemsText(device, devices) };
  };

  /** Loads the pairs whose periods would change, with their periods now and afterwards. */
  async function load(context: Context, args: ResolvedArgs) {
    const pairs = await loadPeriods(context, createPairs(resolveSides(side, args)));
    const now = plannedNow(args, context);
    const changedPairs = pairs.flatMap((pair) => {
      const after = verb.after(pair, args, now, context);
      return after ? [{ ...pair, after }] : [];
    });
    return { pairs, changed: changedPairs, now };
  }

  async function plan(context: Context, args: ResolvedArgs): Promise<Plan> {
    const { pairs, changed, now } = await load(context, args);
    const notes = verb.check(pairs, args, now, context);
    const unchangedCount = pairs.length - changed.length;
    const own = side === 'processPoints' ? 'point' : 'device';
    const names = side === 'processPoints' ? 'device' : 'point';
    return {
      summary: message(`process-point:plan.${verb.key}`, labels(args)),
      count: changed.length,
      changes: [...groupBy(changed, (pair) => pair[own].id).values()].map((group) =>
        periodsChange(
          group[0]![own],
          field,
          group.map((pair) => ({ name: pair[names].label, before: pair.periods, after: pair.after })),
          context,
        ),
      ),
      comparedChanges: changed.map((pair) => ({
        ...periodsChange(
          pair.point,
          message('process-point:fields.devices'),
          [{ name: pair.device.label, before: pair.periods, after: pair.after }],
          context,
        ),
        source: pair[own].id,
      })),
      notes: [
        ...notes,
        ...(unchangedCount > 0 ? [message(`process-point:plan.unchanged.${verb.key}`, { count: unchangedCount })] : []),
      ],
      reversible: true,
    };
  }

  async function run(context: RunContext, args: ResolvedArgs): Promise<Outcome> {
    const { changed, now } = await load(context, args);
    const own = side === 'processPoints' ? 'point' : 'device';
    const ids = new Set(changed.map((pair) => pair[own].id));
    const { points, devices } = resolveSides(side, args);
    const [items, otherIds] =
      side === 'processPoints' ? [points, devices.map(device.id)] : [devices, points.map(processPoint.id)];
    const { results } = await send(
      context,
      entity,
      {
        size: Math.max(1, Math.min(MAX_ITEMS, Math.floor(MAX_LINKS / Math.max(1, otherIds.length)))),
        organization: (item) => entity.belongsTo!(item).id,
        call: async (callContext, chunk) => {
          const chunkIds = chunk.map(entity.id);
          await (side === 'processPoints'
            ? verb.call(callContext, chunkIds, otherIds, args, now)
            : verb.call(callContext, otherIds, chunkIds, args, now));
        },
      },
      (items as readonly unknown[]).filter((item) => ids.has(entity.id(item))),
      args,
    );
    const { length: count } = succeededResults({ results });
    const changedIds = new Set(maybeChanged({ results }).map((result) => result.id));
    return {
      changed: ['process-point', 'device'],
      results,
      message: count === 0 ? message('common:done.nothing') : message(`process-point:done.${verb.key}`, labels(args)),
      data: { before: changed.filter((pair) => changedIds.has(pair[own].id)).map(storedPeriods) },
    };
  }

  return command<Params>({
    id,
    on: () => entity,
    requires: ASSIGNMENT_ABILITIES,
    effect: 'write',
    keys,
    params: {
      // Each item needs at least one assignment.
      [side]: p.many(() => entity, { atMost: MAX_LINKS }),
      [other]: required(p.refs(() => (side === 'processPoints' ? device : processPoint) as unknown as AnyEntity)),
      ...verb.params,
    },
    positional: [side, other],
    derivedMessages: [
      message(`process-point:plan.${verb.key}`),
      message(`process-point:plan.unchanged.${verb.key}`),
      message(`process-point:done.${verb.key}`),
    ],
    problems: (context, args) => verb.problems(args, context),
    plan,
    run,
    inverse: (_args, { data }) => restoringInvocations((data as { readonly before: readonly StoredPeriods[] }).before),
  });
}

export const assignDevice = linkCommand('processPoints', 'process-point.assign-device', assignVerb, [LETTERS.measure]);
export const unassignDevice = linkCommand('processPoints', 'process-point.unassign-device', unassignVerb, [
  LETTERS.unmeasure,
]);
/** The same commands for devices, with names like `tag.assign`. */
export const assignPoint = linkCommand('devices', 'process-point.assign', assignVerb, [LETTERS.measure]);
export const unassignPoint = linkCommand('devices', 'process-point.unassign', unassignVerb, [LETTERS.unmeasure]);

import { send } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { command, type Command, type ResolvedArgs } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import type { AnyEntity, Entity } from '#commands/model/entity.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { maybeChanged, succeededResults, type Outcome } from '#commands/model/result.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

import { createRestoreInvocations, storedPeriods, type StoredPeriods } from './assignment-rows.ts';
import { type Verb, assignVerb, unassignVerb } from './assignment-verbs.ts';
import { processPoint } from './entity.ts';
import { MAX_LINKS, type Side, resolveSides, createPairs } from './pairs.ts';
import { loadPeriods } from './period-requests.ts';
import { periodsChange } from './period-texts.ts';

const MAX_ITEMS = 500;

export const ASSIGNMENT_ABILITIES = ['VIEW_PROCESS_POINTS', 'VIEW_DEVICES', 'ASSIGNMENTS'] as const;

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
    const notes = await verb.check(pairs, args, now, context);
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
    inverse: (_args, { data }) =>
      createRestoreInvocations((data as { readonly before: readonly StoredPeriods[] }).before),
  });
}

export const assignDevice = linkCommand('processPoints', 'process-point.assign-device', assignVerb, [LETTERS.measure]);
export const unassignDevice = linkCommand('processPoints', 'process-point.unassign-device', unassignVerb, [
  LETTERS.unmeasure,
]);
/** The same commands for devices, with names like `tag.assign`. */
export const assignPoint = linkCommand('devices', 'process-point.assign', assignVerb, [LETTERS.measure]);
export const unassignPoint = linkCommand('devices', 'process-point.unassign', unassignVerb, [LETTERS.unmeasure]);

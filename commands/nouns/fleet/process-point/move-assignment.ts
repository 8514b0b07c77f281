import { send } from '#commands/kit/bulk-action.ts';
import { command, type Resolved } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { maybeChanged, succeededResults } from '#commands/model/result.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { message } from '#commands/text/message.ts';

import { ASSIGNMENT_ABILITIES } from './assign-device.ts';
import { createRestoreInvocations, storedPeriods, type StoredPeriods } from './assignment-rows.ts';
import { EARLIEST, msOfTime } from './assignment-verbs.ts';
import { processPoint } from './entity.ts';
import type { PointItem } from './item.ts';
import { createPair, requireSameOrganization } from './pairs.ts';
import { loadPeriods } from './period-requests.ts';
import { conflictMessage, effectNotes, periodsChange, timeText } from './period-texts.ts';
import { addPeriod, findEffect, onlyPoint, type Effect, type PairPeriods, type Period } from './periods.ts';
import { deletesFirst, replacePeriods, safeguardPeriods } from './replace-periods.ts';

const params = {
  processPoints: p.many(() => processPoint, { atMost: 1 }),
  device: required(p.ref(() => device)),
  // The new start.
  from: required(p.time({ min: EARLIEST, max: 'now' })),
  // The current start.
  start: p.time({ min: EARLIEST, max: 'now' }),
  override: p.flag(),
  allowDelete: p.flag(),
};
type Args = Resolved<typeof params>;

interface Move {
  readonly pair: PairPeriods;
  readonly moved: Period;
  readonly wanted: Period;
  /** The effect on the other periods. */
  readonly effect: Effect;
  readonly after: readonly Period[];
}

/**
 * Plans to move the assignment that starts at `start` (default: the latest one) to the new start `from`.
 *
 * @throws CommandError if there is no such assignment, or the new start is not before its end
 */
async function prepareMove(context: Context, { processPoints, device: item, from, start }: Args): Promise<Move> {
  const point = onlyPoint(processPoints.items);
  requireSameOrganization(point, item);
  const now = context.now();
  const [pair] = await loadPeriods(context, [createPair(point, item)]);
  const { periods } = pair!;
  const startMs = start === undefined ? undefined : msOfTime(start, now, context);
  const movedPeriod = startMs === undefined ? periods.at(-1) : findByStart(periods, startMs);
  if (!movedPeriod) {
    const names = { device: device.label(item), point: processPoint.label(point) };
    if (startMs === undefined)
      throw new CommandError(message('process-point:validation.neverAssigned', names), 'device');
    const at = timeText(startMs, context);
    throw new CommandError(message('process-point:validation.noSuchStart', { ...names, at }), 'start');
  }
  const wanted = { ...movedPeriod, since: msOfTime(from, now, context) };
  if (wanted.until !== undefined && wanted.since >= wanted.until)
    throw new CommandError(
      message('process-point:validation.startAfterEnd', { until: timeText(wanted.until, context) }),
      'from',
    );
  const others = periods.filter((period) => period !== movedPeriod);
  const effect = findEffect(others, wanted) ?? { ended: [], deleted: [] };
  return { pair: pair!, moved: movedPeriod, wanted, effect, after: addPeriod(others, wanted, effect) };
}

/**
 * Finds the period that starts at a time. Users type times to the second, minute, or day; stored times have
 * milliseconds.
 */
function findByStart(periods: readonly Period[], start: number): Period | undefined {
  const periodWithin = (length: number): Period | undefined =>
    periods.find(({ since }) => since >= start && since < start + length);
  return periodWithin(1) ?? periodWithin(1000) ?? periodWithin(60_000) ?? periodWithin(86_400_000);
}

export const moveAssignment = command({
  id: 'process-point.move-assignment',
  on: () => processPoint,
  requires: ASSIGNMENT_ABILITIES,
  effect: 'write',
  params,
  positional: ['processPoints', 'device'],
  problems: (_context, { override, allowDelete }) =>
    allowDelete && !override ? { allowDelete: message('process-point:validation.deleteWithoutOverride') } : {},
  plan: async (context, args) => {
    const { pair, moved, wanted, effect, after } = await prepareMove(context, args);
    const conflict = conflictMessage([{ ...pair, effect }], wanted.since, args, context);
    if (conflict) throw new CommandError(conflict, args.override ? 'allowDelete' : 'override');
    const changesNothing = moved.since === wanted.since;
    return {
      summary: message('process-point:plan.moveAssignment', {
        device: pair.device.label,
        point: pair.point.label,
        from: timeText(wanted.since, context),
      }),
      count: changesNothing ? 0 : 1,
      changes: changesNothing
        ? []
        : [
            periodsChange(
              pair.point,
              message('process-point:fields.devices'),
              [{ name: pair.device.label, before: pair.periods, after }],
              context,
            ),
          ],
      notes: [
        ...effectNotes([{ ...pair, effect }], wanted.since, context),
        ...(!changesNothing && deletesFirst(pair.periods, after)
          ? [message('process-point:plan.deletesFirst', { count: 1 })]
          : []),
      ],
      reversible: true,
    };
  },
  run: async (context, args) => {
    const { pair, moved, wanted, after } = await prepareMove(context, args);
    const { organization, point, device: assigned } = pair;
    const discardSafeguard = safeguardPeriods(context, [{ pair, after }]);
    const { results } = await send<PointItem, Args>(
      context,
      processPoint,
      {
        organization: () => organization,
        call: async (callContext) => {
          await replacePeriods(callContext, point.id, [assigned.id], { before: pair.periods, after });
        },
      },
      moved.since === wanted.since ? [] : args.processPoints.items,
      args,
    );
    discardSafeguard();
    const names = { device: assigned.label, point: point.label, from: timeText(wanted.since, context) };
    return {
      changed: ['process-point', 'device'],
      results,
      message:
        succeededResults({ results }).length === 0
          ? message('common:done.nothing')
          : message('process-point:done.moveAssignment', names),
      data: { before: maybeChanged({ results }).length > 0 ? [storedPeriods(pair)] : [] },
    };
  },
  inverse: (_args, { data }) =>
    createRestoreInvocations((data as { readonly before: readonly StoredPeriods[] }).before),
});

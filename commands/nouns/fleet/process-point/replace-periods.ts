import type { CallContext } from '#commands/kit/bulk-action.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, failureOf, isRejectedCall, PartlyDoneError } from '#commands/model/errors.ts';
import { selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
/** Changes the periods of a device at a process point without losing those that it keeps. */
import { runInOrder } from '#commands/run/batch.ts';
import { message } from '#commands/text/message.ts';
import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';

import { createRestoreInvocations, storedPeriods } from './assignment-rows.ts';
import { assignRequest, listAssignments, msToTimestamp } from './period-requests.ts';
import { addPeriod, findEffect, sameFields, samePeriods, type PairPeriods, type Period } from './periods.ts';

/** A call that changes the periods of pairs. The server carries it out completely or not at all. */
type PeriodCall =
  | { readonly kind: 'assign'; readonly period: Period }
  | { readonly kind: 'unassign'; readonly at: number }
  | { readonly kind: 'delete' };

const byStart = (a: Period, b: Period): number => a.since - b.since;

const periodAt = (periods: readonly Period[], ms: number): Period | undefined =>
  periods.find(({ since, until }) => since <= ms && ms < (until ?? Infinity));

/** True if a step from `current` to `next` loses something of what `current` and `after` have in common. */
function losesPeriod(current: readonly Period[], next: readonly Period[], after: readonly Period[]): boolean {
  const edges = [...current, ...next, ...after].flatMap(({ since, until }) => [since, until ?? since]);
  return edges.some((ms) => {
    const [keptPeriod, wantedPeriod, remainingPeriod] = [current, after, next].map((periods) => periodAt(periods, ms));
    if (!keptPeriod || !wantedPeriod) return false;
    return (
      !remainingPeriod ||
      (sameFields(keptPeriod.fields, wantedPeriod.fields) && !sameFields(remainingPeriod.fields, wantedPeriod.fields))
    );
  });
}

/**
 * Returns calls that change the periods without losing any time that they keep, or undefined if there are none: the
 * contract can't move the first start to a later time, except by deleting all periods of the pair.
 */
function keepingCalls(before: readonly Period[], after: readonly Period[]): readonly PeriodCall[] | undefined {
  const calls: PeriodCall[] = [];
  let current: readonly Period[] = before.toSorted(byStart);
  // A later period ends the earlier periods, so the last period is set first.
  for (const period of after.toSorted(byStart).toReversed()) {
    const effect = findEffect(current, period);
    if (!effect) continue;
    const next = addPeriod(current, period, effect);
    if (losesPeriod(current, next, after)) return undefined;
    calls.push({ kind: 'assign', period });
    current = next;
  }
  const openPeriod = current.find(({ until }) => until === undefined);
  const at = after.find(({ since }) => since === openPeriod?.since)?.until;
  if (openPeriod && at !== undefined) {
    calls.push({ kind: 'unassign', at });
    current = current.map((period) => (period === openPeriod ? { ...openPeriod, until: at } : period));
  }
  return samePeriods(current, after) ? calls : undefined;
}

/** True if the periods can only be changed by deleting and assigning them again. */
export function deletesFirst(before: readonly Period[], after: readonly Period[]): boolean {
  return after.length > 0 && !keepingCalls(before, after);
}

interface Replacement {
  readonly pair: PairPeriods;
  readonly after: readonly Period[];
}

/**
 * Lets the host keep the periods that are deleted first, in case the process ends before they are assigned again.
 *
 * @returns a function that forgets them, for when the outcome of all calls is known
 */
export function safeguardPeriods({ host }: Context, replacements: readonly Replacement[]): () => void {
  const isAtRisk = replacements.some(({ pair, after }) => deletesFirst(pair.periods, after));
  const forget =
    isAtRisk &&
    host.safeguard?.({
      summary: message('process-point:interrupted'),
      inverse: createRestoreInvocations(replacements.map(({ pair }) => storedPeriods(pair))),
    });
  return forget || (() => undefined);
}

/**
 * Replaces the periods of the devices at the point, all of which have the periods `before`. If the periods must be
 * deleted first and a call fails afterwards, assigns the old ones again.
 *
 * @throws CommandError if a call failed, but all devices have their old periods
 * @throws PartlyDoneError if a call failed and they don't have all of them
 */
export async function replacePeriods(
  context: CallContext,
  point: string,
  numbers: readonly string[],
  { before, after }: { readonly before: readonly Period[]; readonly after: readonly Period[] },
): Promise<void> {
  const send = (call: PeriodCall): Promise<unknown> => sendCall(context, point, numbers, call);
  const all: PeriodCall = { kind: 'delete' };
  const calls = after.length === 0 ? [all] : keepingCalls(before, after);
  if (calls) return runInOrder(calls.map((call) => () => send(call)));
  let isDeleted = false;
  try {
    await send(all);
    isDeleted = true;
    for (const period of after) await send({ kind: 'assign', period });
  } catch (error) {
    const failure = failureOf(error);
    // If the connection was lost, the server may have deleted the periods.
    if (!isDeleted && isRejectedCall(failure)) throw error;
    const reason = failure.message;
    if (!(await restore(context, point, numbers, before)))
      throw new PartlyDoneError(error, undefined, message('process-point:failed.lost', { reason }));
    if (!isRejectedCall(failure)) context.host.report?.(error);
    throw new CommandError(message('process-point:failed.restored', { reason }));
  }
  return undefined;
}

/** Assigns periods again that were deleted, and returns whether the devices have exactly these periods. */
async function restore(
  context: CallContext,
  point: string,
  numbers: readonly string[],
  periods: readonly Period[],
): Promise<boolean> {
  try {
    for (const period of periods.toReversed()) await sendCall(context, point, numbers, { kind: 'assign', period });
    const assignments = await listAssignments(context, context.organization, { points: [point], numbers });
    return numbers.every((number) =>
      samePeriods(assignments.filter((period) => period.number === number).toSorted(byStart), periods),
    );
  } catch (error) {
    // The caller throws the first failure, which has the same cause or explains more.
    if (!isRejectedCall(failureOf(error))) context.host.report?.(error);
    return false;
  }
}

function sendCall(
  { api, organization, signal }: CallContext,
  point: string,
  numbers: readonly string[],
  call: PeriodCall,
): Promise<unknown> {
  const assignments = api(AssignmentService);
  if (call.kind === 'assign') {
    const flags = { override: true, allowDelete: true };
    return assignments.assign(assignRequest(organization, [point], numbers, call.period, flags), { signal });
  }
  const sides = {
    organization,
    unassign: { case: 'unassignModems' as const, value: selectNumbers(numbers) },
    from: { case: 'fromProcessPoints' as const, value: { identifiers: [point] } },
  };
  return call.kind === 'delete'
    ? assignments.delete(sides, { signal })
    : assignments.unassign({ ...sides, time: { case: 'overrideTime', value: msToTimestamp(call.at) } }, { signal });
}

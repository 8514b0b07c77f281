import type { CallContext } from '#commands/kit/bulk-action.ts';
import type { ResolvedArgs } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p } from '#commands/model/params.ts';
import { toSpan } from '#commands/model/time.ts';
import { selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { message, type Message } from '#commands/text/message.ts';
import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';

import { assignRequest, msToTimestamp } from './period-requests.ts';
import { conflictMessage, effectNotes, timeText } from './period-texts.ts';
import { addPeriod, findEffect, pathProblem, type OverrideFlags, type PairPeriods, type Period } from './periods.ts';
import { loadSharedFieldWarnings, sharedFieldNotes } from './shared-fields.ts';

/** No assignment is older than this, so an earlier date is a typo. */
export const EARLIEST = '2000-01-01';

export interface Verb {
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
  ) => Promise<readonly Message[]>;
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

export const assignVerb: Verb = {
  key: 'assignDevice',
  params: {
    from: p.time({ fallback: 'now', min: EARLIEST, max: 'now' }),
    until: p.time({ min: EARLIEST, max: 'now' }),
    fields: p.words(),
    override: p.flag(),
    allowDelete: p.flag(),
  },
  problems: (args, context) => {
    const { since, until, fields } = wantedPeriod(args, context.now(), context);
    const invalidPath = pathProblem(fields);
    if (invalidPath) return { fields: invalidPath };
    if (args['allowDelete'] === true && args['override'] !== true)
      return { allowDelete: message('process-point:validation.deleteWithoutOverride') };
    return until !== undefined && until <= since ? { until: message('process-point:validation.endBeforeStart') } : {};
  },
  after: ({ periods }, args, now, context) => {
    const period = wantedPeriod(args, now, context);
    const effect = findEffect(periods, period);
    return effect && addPeriod(periods, period, effect);
  },
  check: async (pairs, args, now, context) => {
    const period = wantedPeriod(args, now, context);
    const effects = pairs.flatMap((pair) => {
      const effect = findEffect(pair.periods, period);
      return effect ? [{ ...pair, effect }] : [];
    });
    const conflict = conflictMessage(effects, period.since, pickFlags(args), context);
    if (conflict) throw new CommandError(conflict, args['override'] === true ? 'allowDelete' : 'override');
    const sharings = effects.map((pair) => ({ ...pair, fields: period.fields }));
    return [
      ...effectNotes(effects, period.since, context),
      ...sharedFieldNotes(sharings, await loadSharedFieldWarnings(context, sharings)),
    ];
  },
  call: ({ api, organization, signal, preferences }, points, numbers, args, now) =>
    api(AssignmentService).assign(
      assignRequest(organization, points, numbers, wantedPeriod(args, now, { preferences }), pickFlags(args)),
      { signal },
    ),
};

const endOf = ({ at }: ResolvedArgs, now: Date, context: Preferred): number =>
  msOfTime((at as string | undefined) ?? 'now', now, context);

export const unassignVerb: Verb = {
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
  check: async (pairs, args, now, context) => {
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

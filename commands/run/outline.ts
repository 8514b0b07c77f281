import { targetParam, commandLabels, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { FieldChanges, Plan } from '#commands/model/plan.ts';
import { isSelection, type Target } from '#commands/model/target.ts';
import { compileText } from '#commands/query/compile.ts';
import { message } from '#commands/text/message.ts';

import { availability } from './availability.ts';
import { distribution } from './distribution.ts';
import { selectionTarget } from './lookup.ts';
import { missingParams, resolvePartial } from './resolve.ts';

/**
 * Returns a plan that contains only counts, which takes a second instead of a minute for a whole fleet. If the command
 * declares no outline and the list is long, the plan has only the maximum number of items that can change. Returns
 * undefined if the command cannot run, because the full plan reports the reason.
 */
export async function planOutline(command: Command, args: Args, context: Context): Promise<Plan | undefined> {
  const target = targetParam(command);
  if (!command.plan || !target || !availability(command, context).ok || missingParams(command, args).length > 0)
    return undefined;
  const { [target.name]: value, ...others } = args;
  try {
    const targetArg = value as Target;
    const namedTarget = isSelection(targetArg) ? selectionTarget(target.entity, context) : targetArg;
    if (!('query' in namedTarget)) return undefined;
    const resolvedArgs = await resolvePartial(command, others, context);
    const outline = await command.outline?.(context, resolvedArgs, namedTarget.query);
    if (outline) return outline;
    return maximumPlan(command, await countMatching(target.entity, namedTarget.query, '', context), target.entity);
  } catch (error) {
    // The full plan reports the error.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** Above this, the full plan is too slow to wait for, so show only the count first. */
const MAX_LOOKUPS = 1000;

/** Returns a plan with only the item count. The command can change at most this many items. */
function maximumPlan(command: Command, count: number, entity: AnyEntity): Plan | undefined {
  if (count <= MAX_LOOKUPS) return undefined;
  const values = { title: commandLabels.title(command, count), items: entityLabels.count(entity, count) };
  return {
    summary: message('common:plan.upTo', values),
    count,
    changes: [],
    reversible: command.inverse !== undefined,
  };
}

/** Counts the items that match a filter and one more term. */
export async function countMatching(entity: AnyEntity, query: string, term: string, context: Context): Promise<number> {
  const compiled = await compileOrNothing(entity, `${query} ${term}`, context);
  return compiled ? (await entity.list(context, compiled, { page: 0, size: 1 })).total : 0;
}

/** The messages for a filter with terms that exclude each other. */
const CONTRADICTION_KEYS: ReadonlySet<string> = new Set([
  'common:filter.nothing',
  'common:filter.exclusion',
  'common:filter.exclusionOf',
]);

async function compileOrNothing(entity: AnyEntity, text: string, context: Context) {
  try {
    return await compileText(entity, text, context);
  } catch (error) {
    // Terms that exclude each other match nothing, which is a valid result here.
    if (error instanceof CommandError && CONTRADICTION_KEYS.has(error.userMessage.key)) return undefined;
    throw error;
  }
}

/** True if a plan matches its outline. */
export function agreesWithOutline(plan: Plan, outline: Plan): boolean {
  const countsOf = ({ changeCounts: fieldCounts, changes }: Plan): string[] =>
    (fieldCounts ?? distribution(changes)).flatMap(({ field, groups }: FieldChanges) =>
      groups.map(({ count, change: { before, after, added, removed } }) =>
        JSON.stringify([field.key, count, before, after, added, removed]),
      ),
    );
  const notes = (item: Plan): string => JSON.stringify(item.notes ?? []);
  return (
    plan.count === outline.count &&
    notes(plan) === notes(outline) &&
    countsOf(plan).toSorted().join() === countsOf(outline).toSorted().join()
  );
}

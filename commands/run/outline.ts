import { compileText } from '#commands/query/compile.ts';
import { availability } from './availability.ts';
import { targetParam, texts, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { distribution } from './distribution.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { message } from '#commands/text/message.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import { selectionTarget } from './lookup.ts';
import type { FieldChanges, Plan } from '#commands/model/plan.ts';
import { missingParams, resolveGiven } from './resolve.ts';
import { isSelection, type Target } from '#commands/model/target.ts';

/**
 * What a command would do, by counting only: a second instead of a minute for a whole fleet. Undefined where it cannot
 * be told so; why a command cannot run is left to its plan to say.
 */
export async function outlineOf(command: Command, given: Args, context: Context): Promise<Plan | undefined> {
  const target = targetParam(command);
  if (!command.plan || !target || !availability(command, context).ok || missingParams(command, given).length > 0)
    return undefined;
  const { [target.name]: value, ...others } = given;
  try {
    const asked = value as Target;
    const named = isSelection(asked) ? selectionTarget(target.entity, context) : asked;
    if (!('query' in named)) return undefined;
    const args = await resolveGiven(command, others, context);
    if (command.outline) return await command.outline(context, args, named.query);
    return upTo(command, await countMatching(target.entity, named.query, '', context), target.entity);
  } catch (error) {
    // The plan itself says what is wrong.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** So many are looked up in a moment, and their plan says more. */
const FEW = 1000;

/** All that can be said of a command without looking at each item: how many it may change. */
function upTo(command: Command, count: number, entity: AnyEntity): Plan | undefined {
  if (count <= FEW) return undefined;
  const values = { title: texts.title(command, count), items: entityTexts.count(entity, count) };
  return {
    summary: message('common:plan.upTo', values),
    count,
    changes: [],
    reversible: command.inverse !== undefined,
  };
}

/** How many items match a filter and one more term. */
export async function countMatching(entity: AnyEntity, query: string, term: string, context: Context): Promise<number> {
  const compiled = await compileOrNothing(entity, `${query} ${term}`, context);
  return compiled ? (await entity.list(context, compiled, { page: 0, size: 1 })).total : 0;
}

/** How a filter says that its terms exclude each other. */
const MATCHES_NOTHING: ReadonlySet<string> = new Set([
  'common:filter.nothing',
  'common:filter.exclusion',
  'common:filter.exclusionOf',
]);

async function compileOrNothing(entity: AnyEntity, text: string, context: Context) {
  try {
    return await compileText(entity, text, context);
  } catch (error) {
    // Terms that exclude each other match nothing, which is an answer here.
    if (error instanceof CommandError && MATCHES_NOTHING.has(error.userMessage.key)) return undefined;
    throw error;
  }
}

/** Whether a plan does what its outline said. */
export function agrees(plan: Plan, outline: Plan): boolean {
  const ways = ({ counted, changes }: Plan): string[] =>
    (counted ?? distribution(changes)).flatMap(({ field, groups }: FieldChanges) =>
      groups.map(({ count, change: { before, after, added, removed } }) =>
        JSON.stringify([field.key, count, before, after, added, removed]),
      ),
    );
  const notes = (item: Plan): string => JSON.stringify(item.notes ?? []);
  return (
    plan.count === outline.count &&
    notes(plan) === notes(outline) &&
    ways(plan).toSorted().join() === ways(outline).toSorted().join()
  );
}

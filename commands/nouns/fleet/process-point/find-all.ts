import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { failureOf, isRejectedCall } from '#commands/model/errors.ts';
import { findOne, createNotFoundError, requireOne } from '#commands/run/lookup.ts';
import { chunks } from '#commands/run/paging.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Maximum number of problems to list. The others are counted. */
export const MAX_PROBLEMS = 20;
/** The maximum number of lookups in flight. */
const CONCURRENCY = 8;

/**
 * Looks up ids in as few calls as possible. Some list rpcs reject a request with an unknown id (contract:
 * ModemService.List), so this looks up both halves of a rejected request.
 */
async function findIds<Item>(entity: Entity<Item>, ids: readonly string[], context: Context): Promise<readonly Item[]> {
  try {
    return await entity.byIds(context, ids);
  } catch (error) {
    if (!isRejectedCall(failureOf(error))) throw error;
    context.signal.throwIfAborted();
    if (ids.length <= 1) return [];
    const half = Math.ceil(ids.length / 2);
    const parts = [ids.slice(0, half), ids.slice(half)];
    return (await Promise.all(parts.map((part) => findIds(entity, part, context)))).flat();
  }
}

/** Looks up many names at once. Names that are missing from the result have to be looked up one by one. */
async function findNames<Item>(
  entity: Entity<Item>,
  names: readonly string[],
  context: Context,
): Promise<ReadonlyMap<string, readonly Item[]>> {
  if (names.length <= CONCURRENCY || !entity.findMany) return new Map();
  try {
    return await entity.findMany(context, names);
  } catch (error) {
    // The server may reject the request because of one of the names.
    if (!isRejectedCall(failureOf(error))) throw error;
    return new Map();
  }
}

/** Looks up items by id or name: all ids at once, then all names at once, then each remaining input. */
export async function findAll<Item>(
  entity: Entity<Item>,
  inputs: readonly string[],
  isId: (text: string) => boolean,
  context: Context,
): Promise<ReadonlyMap<string, Item | Message>> {
  const found = new Map<string, Item | Message>();
  const ids = inputs.filter(isId);
  const items = await findIds(entity, [...new Set(ids.map((text) => entity.toId(text)))], context);
  const byId = new Map(items.map((item) => [entity.id(item), item]));
  for (const text of ids) {
    const item = byId.get(entity.toId(text));
    if (item !== undefined) found.set(text, item);
  }
  const names = inputs.filter((text) => !isId(text));
  const matches = await findNames(entity, names, context);
  let problemCount = 0;
  const findProblem = async (text: string): Promise<Message> =>
    // Suggestions take several requests, so only the listed problems have them.
    ++problemCount <= MAX_PROBLEMS
      ? (await createNotFoundError(entity, text, context)).userMessage
      : message('running:lookup.none', { entity: message(`${entity.name}:one`), text });
  for (const part of chunks(
    inputs.filter((text) => !found.has(text)),
    CONCURRENCY,
  )) {
    context.signal.throwIfAborted();
    await Promise.all(
      part.map(async (text) => {
        try {
          const known = matches.get(text);
          const item = known ? requireOne(entity, text, known) : await findOne(entity, text, context);
          found.set(text, item ?? (await findProblem(text)));
        } catch (error) {
          const failure = failureOf(error);
          if (!isRejectedCall(failure)) throw error;
          const isUnknown = failure.code === 'not_found' && problemCount < MAX_PROBLEMS;
          found.set(text, isUnknown ? await findProblem(text) : failure.message);
        }
      }),
    );
  }
  return found;
}

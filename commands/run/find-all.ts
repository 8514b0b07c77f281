import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { failureOf, isRejectedCall } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';

import { findOne, createNotFoundError, loadByIds, requireOne } from './lookup.ts';
import { chunks } from './paging.ts';

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

/** True if a lookup found a problem with the name instead of an item. */
export function isProblem(found: unknown): found is Message {
  return (
    typeof found === 'object' &&
    found !== null &&
    'key' in found &&
    Object.keys(found).every((name) => name === 'key' || name === 'values')
  );
}

/**
 * Looks up items by id or name: all ids at once, then all names at once, then each remaining input. The result has no
 * entry for an input without an item, and a message for one that several items match or that the server rejects.
 */
export async function lookUpAll<Item>(
  entity: Entity<Item>,
  inputs: readonly string[],
  isId: (text: string) => boolean,
  context: Context,
): Promise<ReadonlyMap<string, Item | Message>> {
  const found = new Map<string, Item | Message>();
  const ids = inputs.filter(isId);
  const byIds: Entity<Item>['byIds'] = (partContext, part) => findIds(entity, part, partContext);
  const items = await loadByIds({ ...entity, byIds }, [...new Set(ids.map((text) => entity.toId(text)))], context);
  const byId = new Map(items.map((item) => [entity.id(item), item]));
  for (const text of ids) {
    const item = byId.get(entity.toId(text));
    if (item !== undefined) found.set(text, item);
  }
  const names = inputs.filter((text) => !found.has(text));
  const matches = await findNames(entity, names, context);
  for (const part of chunks(names, CONCURRENCY)) {
    context.signal.throwIfAborted();
    await Promise.all(
      part.map(async (text) => {
        try {
          const known = matches.get(text);
          const item = known ? requireOne(entity, text, known) : await findOne(entity, text, context);
          if (item !== undefined) found.set(text, item);
        } catch (error) {
          const failure = failureOf(error);
          // A missing permission concerns all names.
          if (!isRejectedCall(failure) || failure.code === 'permission_denied') throw error;
          if (failure.code !== 'not_found') found.set(text, failure.message);
        }
      }),
    );
  }
  return found;
}

/** Like {@link lookUpAll}, but with a message for each input without an item. */
export async function findAll<Item>(
  entity: Entity<Item>,
  inputs: readonly string[],
  isId: (text: string) => boolean,
  context: Context,
): Promise<ReadonlyMap<string, Item | Message>> {
  const found = new Map(await lookUpAll(entity, inputs, isId, context));
  const unknownInputs = inputs.filter((text) => !found.has(text));
  // Suggestions take several requests, so only the listed problems have them.
  for (const part of chunks(unknownInputs.slice(0, MAX_PROBLEMS), CONCURRENCY)) {
    context.signal.throwIfAborted();
    await Promise.all(
      part.map(async (text) => found.set(text, (await createNotFoundError(entity, text, context)).userMessage)),
    );
  }
  for (const text of unknownInputs.slice(MAX_PROBLEMS))
    found.set(text, message('running:lookup.none', { entity: message(`${entity.name}:one`), text }));
  return found;
}

import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { failureOf, isRejectedCall } from '#commands/model/errors.ts';
import { findOne, createNotFoundError } from '#commands/run/lookup.ts';
import { chunks } from '#commands/run/paging.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Maximum number of problems to list. The others are counted. */
export const MAX_PROBLEMS = 20;
/** The maximum number of lookups in flight. */
const CONCURRENCY = 8;

/** Looks up items by id or name. Tries all ids at once, then each remaining input. */
export async function findAll<Item>(
  entity: Entity<Item>,
  inputs: readonly string[],
  isId: (text: string) => boolean,
  context: Context,
): Promise<ReadonlyMap<string, Item | Message>> {
  const found = new Map<string, Item | Message>();
  const ids = inputs.filter(isId);
  try {
    const items = await entity.byIds(context, [...new Set(ids.map((text) => entity.toId(text)))]);
    const byId = new Map(items.map((item) => [entity.id(item), item]));
    for (const text of ids) {
      const item = byId.get(entity.toId(text));
      if (item !== undefined) found.set(text, item);
    }
  } catch (error) {
    // Some list rpcs reject a request with an unknown id (contract: ModemService.List). The loop below finds out which.
    if (!isRejectedCall(failureOf(error))) throw error;
  }
  let problemCount = 0;
  for (const part of chunks(
    inputs.filter((text) => !found.has(text)),
    CONCURRENCY,
  )) {
    context.signal.throwIfAborted();
    await Promise.all(
      part.map(async (text) => {
        try {
          const item = await findOne(entity, text, context);
          // Suggestions take several requests, so only the listed problems have them.
          if (item !== undefined) found.set(text, item);
          else if (++problemCount <= MAX_PROBLEMS)
            found.set(text, (await createNotFoundError(entity, text, context)).userMessage);
          else found.set(text, message('running:lookup.none', { entity: message(`${entity.name}:one`), text }));
        } catch (error) {
          const failure = failureOf(error);
          if (!isRejectedCall(failure)) throw error;
          if (failure.code === 'not_found' && ++problemCount <= MAX_PROBLEMS)
            found.set(text, (await createNotFoundError(entity, text, context)).userMessage);
          else found.set(text, failure.message);
        }
      }),
    );
  }
  return found;
}

import type { RunContext } from '#commands/model/context.ts';
import { failureOf, isRefusal, type Failure } from '#commands/model/errors.ts';
import { groupBy } from '#commands/text/group-by.ts';
import type { Message } from '#commands/text/message.ts';
import { chunks } from '#commands/run/paging.ts';
import type { ItemResult } from '#commands/model/result.ts';

/** Items a single call carries: small enough to be cancelled and reported on, large enough to be quick. */
export const BATCH_SIZE = 500;

/**
 * Items of a call that are refused one by one for want of a permission, with none taken, before the rest of that call
 * counts as refused too: what is missing for all of them need not be asked for 500 times. Any other refusal is about
 * the item.
 */
const ENOUGH_REFUSED = 16;

interface BatchOf<Item> {
  readonly items: readonly Item[];
  readonly id: (item: Item) => string;
  readonly label: (item: Item) => string;
  readonly size?: number;
  /** What a call is about besides its items, the organization: those where it differs are sent apart. */
  readonly apart?: (item: Item) => string;
  /** Does it for one chunk. May return refusals for single items; throwing fails the whole chunk. */
  readonly each: (chunk: readonly Item[], context: RunContext) => Promise<ReadonlyMap<string, Message> | void>;
}

/**
 * Runs a change chunk by chunk with progress and a result for every item. A chunk that the server refuses is split
 * until the items that it refuses are known; the others go through. Cancelling stops before the next call and leaves
 * the rest `skipped`. Only being signed out stops the batch.
 */
export async function inBatches<Item>(context: RunContext, batchOf: BatchOf<Item>): Promise<readonly ItemResult[]> {
  const size = batchOf.size ?? BATCH_SIZE;
  const results: ItemResult[] = [];
  let hopeless: Failure | undefined;
  const add = (chunk: readonly Item[], more: (item: Item) => Pick<ItemResult, 'failure' | 'skipped'>): void => {
    for (const item of chunk) results.push({ id: batchOf.id(item), label: batchOf.label(item), ...more(item) });
  };
  const fail = (chunk: readonly Item[], failure: Failure): void => add(chunk, () => ({ failure }));

  const send = async (chunk: readonly Item[], tally: Tally): Promise<void> => {
    if (hopeless) return fail(chunk, hopeless);
    if (context.stop.aborted) return add(chunk, () => ({ skipped: true }));
    if (tally.refused >= ENOUGH_REFUSED && tally.reason?.code === 'permission_denied') return fail(chunk, tally.reason);
    try {
      const refused = await batchOf.each(chunk, context);
      tally.refused = -Infinity;
      add(chunk, (item) => {
        const reason = refused?.get(batchOf.id(item));
        return reason ? { failure: { code: 'command', message: reason, retryable: false } } : {};
      });
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code === 'unauthenticated') hopeless = failure;
      // What was refused changed nothing, so its halves can be sent again; of a lost connection nobody knows.
      if (chunk.length > 1 && isRefusal(failure)) {
        const half = Math.ceil(chunk.length / 2);
        tally.reason = failure;
        await send(chunk.slice(0, half), tally);
        return send(chunk.slice(half), tally);
      }
      tally.refused++;
      fail(chunk, failure);
    }
    context.progress({ done: results.length, total: batchOf.items.length });
  };

  const { apart } = batchOf;
  const groups = apart ? [...groupBy(batchOf.items, apart).values()] : [batchOf.items];
  for (const chunk of groups.flatMap((group) => chunks(group, size))) {
    await send(chunk, { refused: 0, reason: undefined });
  }
  return results;
}

/** How the items of one call fare while it is split: refused one by one until one is taken, and why the call was. */
interface Tally {
  refused: number;
  reason: Failure | undefined;
}

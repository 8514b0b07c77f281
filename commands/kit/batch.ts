import type { RunContext } from '#commands/model/context.ts';
import { failureOf, isRefusedCall, PartlyDoneError, type CreatedItem, type Failure } from '#commands/model/errors.ts';
import type { ItemResult } from '#commands/model/result.ts';
import { chunks } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Items per call: few enough to cancel and report progress between calls, enough to be fast. */
export const BATCH_SIZE = 500;

/**
 * After this many refusals of single items for a missing permission, without any success, the rest of the call counts
 * as refused too: the person probably lacks the permission for all of its items. Refusals for other reasons concern
 * single items.
 */
const MAX_REFUSALS = 16;

/** After this many calls in a row without a response, the server counts as unreachable, and the rest is not sent. */
const MAX_UNANSWERED = 2;

const UNSENT: Failure = { code: 'unavailable', message: message('core:error.unsent'), retryable: true, unsent: true };

interface Batch<Item> {
  readonly items: readonly Item[];
  readonly id: (item: Item) => string;
  readonly label: (item: Item) => string;
  readonly size?: number;
  /** Groups items that need separate calls, such as those of different organizations. */
  readonly groupKey?: (item: Item) => string;
  /** Changes one chunk. May return refusals for single items; throwing fails the whole chunk. */
  readonly change: (chunk: readonly Item[], context: RunContext) => Promise<ReadonlyMap<string, Message> | void>;
}

/**
 * Runs a change chunk by chunk, with progress and a result for every item. If the server refuses a chunk, splits it
 * until the refused items are isolated; the others go through. Canceling stops before the next call and leaves the
 * rest `skipped`. Only an `unauthenticated` error and an unreachable server stop the batch.
 */
export async function inBatches<Item>(context: RunContext, batch: Batch<Item>): Promise<readonly ItemResult[]> {
  const size = batch.size ?? BATCH_SIZE;
  const results: ItemResult[] = [];
  let fatal: Failure | undefined;
  let unanswered = 0;
  const add = (chunk: readonly Item[], detailsOf: (item: Item) => Pick<ItemResult, 'failure' | 'skipped'>): void => {
    for (const item of chunk) results.push({ id: batch.id(item), label: batch.label(item), ...detailsOf(item) });
  };
  const fail = (chunk: readonly Item[], failure: Failure): void => add(chunk, () => ({ failure }));

  const send = async (chunk: readonly Item[], tally: Tally): Promise<void> => {
    if (fatal) return fail(chunk, fatal);
    if (context.stop.aborted) return add(chunk, () => ({ skipped: true }));
    if (tally.refused >= MAX_REFUSALS && tally.reason?.code === 'permission_denied') return fail(chunk, tally.reason);
    try {
      const refused = await batch.change(chunk, context);
      tally.refused = -Infinity;
      unanswered = 0;
      add(chunk, (item) => {
        const reason = refused?.get(batch.id(item));
        return reason ? { failure: { code: 'command', message: reason, retryable: false } } : {};
      });
    } catch (error) {
      const failure = failureOf(error);
      unanswered = failure.code === 'unavailable' ? unanswered + 1 : 0;
      if (failure.code === 'unauthenticated') fatal = failure;
      else if (unanswered >= MAX_UNANSWERED) fatal = UNSENT;
      // A refused call changed nothing, and the calls of `inOrder` can be repeated, so the halves can be sent again.
      // After a lost connection, the outcome is unknown, and after a creation, the halves would create more.
      if (chunk.length > 1 && isRefusedCall(failure) && !failure.created) {
        const half = Math.ceil(chunk.length / 2);
        tally.reason = failure;
        await send(chunk.slice(0, half), tally);
        return send(chunk.slice(half), tally);
      }
      if (!isRefusedCall(failure)) context.host.report?.(error);
      tally.refused++;
      fail(chunk, failure);
    }
    context.progress({ done: results.length, total: batch.items.length });
  };

  const { groupKey } = batch;
  const groups = groupKey ? [...groupBy(batch.items, groupKey).values()] : [batch.items];
  for (const chunk of groups.flatMap((group) => chunks(group, size))) {
    await send(chunk, { refused: 0, reason: undefined });
  }
  return results;
}

/**
 * Makes the calls of one change in order. The calls must be idempotent, because a refused change is split and sent
 * again.
 * @throws PartlyDoneError if a call fails after an earlier call succeeded
 */
export async function inOrder(calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const [index, call] of calls.entries()) {
    try {
      await call();
    } catch (error) {
      throw index > 0 ? new PartlyDoneError(error) : error;
    }
  }
}

/**
 * Creates an item, then makes the calls that complete it. If one of these calls fails, the error contains the item, so
 * that undo can delete it.
 * @throws PartlyDoneError if a call fails after the item was created
 */
export async function createInOrder(
  create: () => Promise<CreatedItem>,
  complete: readonly ((id: string) => Promise<unknown>)[],
): Promise<CreatedItem> {
  const created = await create();
  for (const call of complete) {
    try {
      await call(created.id);
    } catch (error) {
      throw new PartlyDoneError(error, created);
    }
  }
  return created;
}

/** Progress of splitting one call: consecutive refusals until the first success, and why the call was refused. */
interface Tally {
  refused: number;
  reason: Failure | undefined;
}

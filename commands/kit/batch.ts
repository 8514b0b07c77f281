import type { RunContext } from '#commands/model/context.ts';
import { failureOf, isRejectedCall, PartlyDoneError, type CreatedItem, type Failure } from '#commands/model/errors.ts';
import type { ItemResult } from '#commands/model/result.ts';
import { chunks } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Items per call: enough to be fast, but few enough to report progress and to allow canceling between calls. */
export const BATCH_SIZE = 500;

/**
 * If this many individual items are rejected because of a missing permission and none succeeds, the remaining items of
 * the call also count as rejected. The user probably has no permission for any of them. A rejection for a different
 * reason applies only to the single item.
 */
const MAX_DENIALS = 16;

/**
 * After this many consecutive calls without a response, treat the server as unreachable and send no more calls.
 */
const MAX_UNANSWERED_CALLS = 2;

const UNSENT: Failure = { code: 'unavailable', message: message('core:error.unsent'), retryable: true, unsent: true };

interface Batch<Item> {
  readonly items: readonly Item[];
  readonly id: (item: Item) => string;
  readonly label: (item: Item) => string;
  readonly size?: number;
  /** Groups items that need separate calls, such as items in different organizations. */
  readonly groupKey?: (item: Item) => string;
  /** Changes one chunk. Can return rejections for individual items. If it throws, the whole chunk fails. */
  readonly change: (chunk: readonly Item[], context: RunContext) => Promise<ReadonlyMap<string, Message> | void>;
}

/**
 * Runs a change chunk by chunk, with progress and a result for every item. If the server rejects a chunk, splits the
 * chunk until the rejected items are isolated and the others are changed. Canceling stops before the next call and
 * marks the remaining items as `skipped`. Only an `unauthenticated` error or an unreachable server stops the batch.
 */
export async function runInBatches<Item>(context: RunContext, batch: Batch<Item>): Promise<readonly ItemResult[]> {
  const size = batch.size ?? BATCH_SIZE;
  const results: ItemResult[] = [];
  let fatalFailure: Failure | undefined;
  let unansweredCalls = 0;
  const add = (chunk: readonly Item[], detailsOf: (item: Item) => Pick<ItemResult, 'failure' | 'skipped'>): void => {
    for (const item of chunk) results.push({ id: batch.id(item), label: batch.label(item), ...detailsOf(item) });
  };
  const fail = (chunk: readonly Item[], failure: Failure): void => add(chunk, () => ({ failure }));

  /**
   * `earlierFailure` is set if an earlier call already changed these items partly. They then count as partly changed
   * even if the retry is rejected.
   */
  const send = async (chunk: readonly Item[], tally: Tally, earlierFailure?: Failure): Promise<void> => {
    if (earlierFailure && (fatalFailure || context.stop.aborted)) return fail(chunk, earlierFailure);
    if (fatalFailure) return fail(chunk, fatalFailure);
    if (context.stop.aborted) return add(chunk, () => ({ skipped: true }));
    if (tally.rejections >= MAX_DENIALS && tally.reason?.code === 'permission_denied') return fail(chunk, tally.reason);
    try {
      const rejections = await batch.change(chunk, context);
      tally.rejections = -Infinity;
      unansweredCalls = 0;
      add(chunk, (item) => {
        const reason = rejections?.get(batch.id(item));
        return reason ? { failure: { code: 'command', message: reason, retryable: false } } : {};
      });
    } catch (error) {
      const failure: Failure = earlierFailure ? { ...failureOf(error), partly: true } : failureOf(error);
      unansweredCalls = failure.code === 'unavailable' ? unansweredCalls + 1 : 0;
      if (failure.code === 'unauthenticated') fatalFailure = failure;
      else if (unansweredCalls >= MAX_UNANSWERED_CALLS) fatalFailure = UNSENT;
      // A rejected call changed nothing, and calls made by `runInOrder` are idempotent, so retry the two halves. Do
      // not retry if the connection was lost, because the outcome is unknown, or if an item was already created.
      if (chunk.length > 1 && isRejectedCall(failure) && !failure.createdItem) {
        const half = Math.ceil(chunk.length / 2);
        tally.reason = failure;
        const partFailure = failure.partly ? failure : undefined;
        await send(chunk.slice(0, half), tally, partFailure);
        return send(chunk.slice(half), tally, partFailure);
      }
      if (!isRejectedCall(failure)) context.host.report?.(error);
      tally.rejections++;
      fail(chunk, failure);
    }
    context.progress({ done: results.length, total: batch.items.length });
  };

  const { groupKey } = batch;
  const groups = groupKey ? [...groupBy(batch.items, groupKey).values()] : [batch.items];
  for (const chunk of groups.flatMap((group) => chunks(group, size))) {
    await send(chunk, { rejections: 0, reason: undefined });
  }
  return results;
}

/**
 * Makes the calls for one change in order. The calls must be idempotent, because a rejected change is split and
 * retried.
 *
 * @throws PartlyDoneError if a call fails after an earlier call succeeded
 */
export async function runInOrder(calls: readonly (() => Promise<unknown>)[]): Promise<void> {
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
 * undo can delete it.
 *
 * @throws PartlyDoneError if a call fails after the item was created
 */
export async function createInOrder(
  create: () => Promise<CreatedItem>,
  completionCalls: readonly ((id: string) => Promise<unknown>)[],
): Promise<CreatedItem> {
  const createdItem = await create();
  for (const call of completionCalls) {
    try {
      await call(createdItem.id);
    } catch (error) {
      throw new PartlyDoneError(error, createdItem);
    }
  }
  return createdItem;
}

/** The state while one call is split: the number of rejections before the first success, and the last reason. */
interface Tally {
  rejections: number;
  reason: Failure | undefined;
}

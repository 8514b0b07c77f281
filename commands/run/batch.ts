import type { RunContext } from '#commands/model/context.ts';
import { failureOf, isRejectedCall, PartlyDoneError, type CreatedItem, type Failure } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { ItemResult } from '#commands/model/result.ts';
import { chunks } from '#commands/run/paging.ts';
import { exceedsFailures, STAGE_SIZES } from '#commands/run/stages.ts';
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
  readonly change: (
    chunk: readonly Item[],
    context: RunContext,
  ) => Promise<ReadonlyMap<string, Message | ItemState> | void>;
  /**
   * Returns the commands that undo the change of a chunk, as far as they are known. Asked for before the change and
   * after it, for a run that is stored. Absent if they are known before the run.
   */
  readonly inverse?: (chunk: readonly Item[]) => readonly Invocation[];
}

/** What happened to an item that a call didn't change. */
export type ItemState = Pick<ItemResult, 'failure' | 'skipped'>;

const toState = (reason: Message | ItemState): ItemState =>
  'key' in reason ? { failure: { code: 'command', message: reason, retryable: false } } : reason;

/**
 * Runs a change chunk by chunk, with progress and a result for every item. If the server rejects a chunk, splits the
 * chunk until the rejected items are isolated and the others are changed. Canceling stops before the next call and
 * marks the remaining items as `skipped`. Otherwise, an `unauthenticated` error or an unreachable server stops the
 * batch. A staged run starts with a few items, and skips the rest if too many failed.
 */
export async function runInBatches<Item>(context: RunContext, batch: Batch<Item>): Promise<readonly ItemResult[]> {
  const size = batch.size ?? BATCH_SIZE;
  const results: ItemResult[] = [];
  let fatalFailure: Failure | undefined;
  let unansweredCalls = 0;
  let triedCount = 0;
  let failedCount = 0;
  let hasTooManyFailures = false;
  const mustStop = (): boolean => {
    hasTooManyFailures ||= context.staged === true && exceedsFailures(failedCount, triedCount);
    return hasTooManyFailures || context.stop.aborted;
  };
  const add = (chunk: readonly Item[], detailsOf: (item: Item) => ItemState): void => {
    for (const item of chunk) results.push({ id: batch.id(item), label: batch.label(item), ...detailsOf(item) });
  };
  const fail = (chunk: readonly Item[], failure: Failure): void => {
    failedCount += chunk.length;
    add(chunk, () => ({ failure }));
  };
  /** Stops the batch if no further call can succeed. */
  const recordAnswer = (code: Failure['code'] | undefined): void => {
    unansweredCalls = code === 'unavailable' ? unansweredCalls + 1 : 0;
    if (unansweredCalls >= MAX_UNANSWERED_CALLS) fatalFailure = UNSENT;
  };

  /**
   * `earlierFailure` is set if an earlier call already changed these items partly. They then count as partly changed
   * even if the retry is rejected.
   */
  const send = async (chunk: readonly Item[], tally: Tally, earlierFailure?: Failure): Promise<void> => {
    await context.monitor?.ready();
    if (earlierFailure && (fatalFailure || mustStop())) return fail(chunk, earlierFailure);
    if (fatalFailure) return fail(chunk, fatalFailure);
    if (mustStop()) return add(chunk, () => ({ skipped: true }));
    if (tally.rejections >= MAX_DENIALS && tally.reason?.code === 'permission_denied') return fail(chunk, tally.reason);
    const resultsBefore = results.length;
    const inverseNow = () => (context.monitor?.begin ? batch.inverse?.(chunk) : undefined);
    let inverse = inverseNow();
    await context.monitor?.begin?.(chunk.map(batch.id), inverse);
    try {
      const rejections = await batch.change(chunk, context);
      tally.rejections = -Infinity;
      const states = new Map([...(rejections ?? [])].map(([id, reason]) => [id, toState(reason)]));
      const failures = [...states.values()].flatMap(({ failure }) => failure ?? []);
      failedCount += failures.length;
      fatalFailure = failures.find(({ code }) => code === 'unauthenticated');
      const isUnanswered = failures.length === chunk.length && failures.every(({ code }) => code === 'unavailable');
      recordAnswer(isUnanswered ? 'unavailable' : undefined);
      inverse = inverseNow();
      add(chunk, (item) => states.get(batch.id(item)) ?? {});
    } catch (error) {
      const failure: Failure = earlierFailure ? { ...failureOf(error), partly: true } : failureOf(error);
      recordAnswer(failure.code);
      if (failure.code === 'unauthenticated') fatalFailure = failure;
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
      else inverse = undefined;
      tally.rejections++;
      fail(chunk, failure);
    }
    await context.monitor?.end?.(results.slice(resultsBefore), inverse);
    context.progress({ done: results.length, total: batch.items.length });
  };

  const { groupKey } = batch;
  const stages = context.staged ? splitIntoStages(batch.items) : [batch.items];
  const groups = stages.flatMap((stage) => (groupKey ? [...groupBy(stage, groupKey).values()] : [stage]));
  for (const chunk of groups.flatMap((group) => chunks(group, size))) {
    // Before the items of the next call count as tried.
    mustStop();
    triedCount += chunk.length;
    await send(chunk, { rejections: 0, reason: undefined });
  }
  return results;
}

/** Splits items into the first stages and the rest. */
function splitIntoStages<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const ends = STAGE_SIZES.map((_, index) => STAGE_SIZES.slice(0, index + 1).reduce((sum, size) => sum + size, 0));
  return [0, ...ends].map((start, index) => items.slice(start, ends[index])).filter(({ length }) => length > 0);
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

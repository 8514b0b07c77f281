import { Code } from '@connectrpc/connect';

import { databaseCondition } from '#server/db/conditions.ts';
import { BlockedError } from '#server/db/database.ts';
import { timeouts } from '#server/db/limits.ts';

import { forCaller } from './work.ts';

/** The outcome of one item of a group: its result, or its own error. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * The outcome of an item that would have made its group wait for a lock. It is retried in parallel with the following
 * groups.
 */
export const BLOCKED = Symbol('blocked');

/** How long blocked items wait between attempts. They hold no connection while waiting. */
export const RETRY_MS = 100;

interface GroupingOptions<Item, Result> {
  /**
   * Runs a group. Calls `next` once, as late as possible, because items that arrive until then join the group. Returns
   * the outcomes in the order of the items. An error applies to the whole group, and means that nothing was done.
   */
  readonly run: (
    next: () => readonly Item[],
    account: string,
  ) => Promise<readonly (Outcome<Result> | typeof BLOCKED)[]>;
  /** How long to retry a blocked item; by default {@link timeouts.lock}. */
  readonly patienceMs?: number;
  /**
   * How long the callers of a group may take to return, at most: see {@link Grouping}. By default, the next group
   * doesn't wait for them.
   */
  readonly lingerMs?: number;
  /** The maximum weight of a group; a single item may be heavier. */
  readonly maxWeight: number;
  readonly weigh: (item: Item) => number;
}

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome<Result>) => void;
  /** The queue that the entry waits in. */
  queue: Queue<Item, Result>;
  /** True once the caller has its outcome or has hung up. */
  settled: boolean;
  /** When the item was first blocked. */
  blockedAt?: number;
}

/** The items of an account, in order of arrival. */
interface Queue<Item, Result> {
  waiting: Entry<Item, Result>[];
  /** The entries of the running group, or all waiting entries until the group has claimed its own. */
  members: () => readonly Entry<Item, Result>[];
  /** Ends the running group once all of its callers have hung up. */
  abort: AbortController;
  /** Called for each entry that joins. */
  onJoin?: (() => void) | undefined;
}

/**
 * Runs an account's concurrent items together (group commit): while one group runs, new items wait and form the next
 * group. They share the fixed cost of statements and transactions, and an item never waits while nothing is running.
 *
 * Items keep their order. Callers get only the outcome of their own item: if a group fails because of its contents, its
 * halves run separately, until the bad item is alone. Callers who hang up leave their group, which ends early only if
 * all of them hang up. Each account has its own groups and is charged for them (turns.ts).
 *
 * An item that would make its group wait, for example for a row that another transaction has locked, is blocked. The
 * blocked items of an account are retried together. They never hold more than one connection, and none between
 * attempts.
 */
export class Grouping<Item, Result> {
  readonly #options: GroupingOptions<Item, Result>;
  readonly #queues = new Map<string, Queue<Item, Result>>();
  /** The blocked items of each account, in order of arrival. */
  readonly #blocked = new Map<string, Entry<Item, Result>[]>();

  constructor(options: GroupingOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Submits an item, which runs in a group with other items of the account.
   *
   * @throws `signal.reason` as soon as the signal aborts; the item may still be processed with its group
   */
  async submit(account: string, item: Item, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    let leave = (): void => undefined;
    const outcome = await new Promise<Outcome<Result>>((resolve) => {
      const entry = this.#join(account, item, resolve);
      leave = () => {
        if (entry.settled) return;
        settle(entry, { error: signal?.reason });
        const { queue } = entry;
        if (queue.members().every(({ settled }) => settled)) queue.abort.abort(signal?.reason);
      };
      signal?.addEventListener('abort', leave);
    });
    signal?.removeEventListener('abort', leave);
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  #join(account: string, item: Item, resolve: Entry<Item, Result>['resolve']): Entry<Item, Result> {
    const existing = this.#queues.get(account);
    const queue = existing ?? emptyQueue<Item, Result>();
    const entry = { item, resolve, queue, settled: false };
    queue.waiting.push(entry);
    queue.onJoin?.();
    if (existing === undefined) {
      this.#queues.set(account, queue);
      void this.#drain(account, queue);
    }
    return entry;
  }

  async #drain(account: string, queue: Queue<Item, Result>): Promise<void> {
    await this.#runAll(account, queue, this.#options.lingerMs);
    this.#queues.delete(account);
  }

  /** Runs the waiting entries of a queue, group by group, until nobody waits. */
  async #runAll(account: string, queue: Queue<Item, Result>, lingerMs = 0): Promise<void> {
    while (queue.waiting.length > 0) {
      queue.members = () => queue.waiting;
      const startedAt = performance.now();
      let size = 0;
      await this.#run(account, queue, () => {
        const group = this.#take(queue);
        size = group.length;
        return group;
      });
      queue.waiting = queue.waiting.filter(({ settled }) => !settled);
      const patienceMs = Math.min(lingerMs, (performance.now() - startedAt) / 2);
      if (patienceMs > 0) await this.#awaitCallers(queue, size + queue.waiting.length, patienceMs);
    }
  }

  /** Waits until `count` callers have joined, or as many as a group can have, but not longer than `ms`. */
  async #awaitCallers(queue: Queue<Item, Result>, count: number, ms: number): Promise<void> {
    queue.members = () => queue.waiting;
    const isComplete = (): boolean => {
      const waitingEntries = queue.waiting.filter(({ settled }) => !settled);
      return waitingEntries.length >= count || this.#countFitting(waitingEntries) < waitingEntries.length;
    };
    if (isComplete()) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        queue.onJoin = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      queue.onJoin = () => {
        if (isComplete()) end();
      };
    });
  }

  /** Takes the next group off the queue. */
  #take(queue: Queue<Item, Result>): readonly Entry<Item, Result>[] {
    const waitingEntries = queue.waiting.filter(({ settled }) => !settled);
    const end = this.#countFitting(waitingEntries);
    queue.waiting = waitingEntries.slice(end);
    return waitingEntries.slice(0, end);
  }

  /** Returns how many of the entries fit into one group. */
  #countFitting(entries: readonly Entry<Item, Result>[]): number {
    const { maxWeight, weigh } = this.#options;
    let weight = 0;
    const end = entries.findIndex(({ item }, index) => {
      weight += weigh(item);
      return index > 0 && weight > maxWeight;
    });
    return end < 0 ? entries.length : end;
  }

  async #run(account: string, queue: Queue<Item, Result>, take: () => readonly Entry<Item, Result>[]): Promise<void> {
    const { signal } = (queue.abort = new AbortController());
    let group: readonly Entry<Item, Result>[] | undefined;
    const next = () => {
      const entries = (group ??= take());
      queue.members = () => entries;
      return entries.map(({ item }) => item);
    };
    try {
      const outcomes = await forCaller(signal, () => this.#options.run(next, account), account);
      group?.forEach((entry, index) => {
        const outcome = outcomes[index] ?? { error: new Error('A group has fewer outcomes than items.') };
        if (outcome === BLOCKED) this.#block(account, entry);
        else settle(entry, outcome);
      });
    } catch (error) {
      if (signal.aborted) {
        // All callers had hung up. Callers who have joined since then go into the next group.
        queue.waiting.unshift(...(group ?? []).filter(({ settled }) => !settled));
        return;
      }
      next();
      await this.#fail(account, queue, group ?? [], error);
    }
  }

  /** Retries the item separately, so its queue does not wait for it. */
  #block(account: string, entry: Entry<Item, Result>): void {
    const now = performance.now();
    entry.blockedAt ??= now;
    if (now - entry.blockedAt >= (this.#options.patienceMs ?? timeouts.lock)) {
      return settle(entry, { error: new BlockedError('The same rows were locked for too long.') });
    }
    entry.queue = emptyQueue();
    const blockedEntries = this.#blocked.get(account);
    if (blockedEntries) return void blockedEntries.push(entry);
    this.#blocked.set(account, [entry]);
    void this.#retryBlocked(account);
  }

  async #retryBlocked(account: string): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      const queue = emptyQueue<Item, Result>();
      queue.waiting = (this.#blocked.get(account) ?? []).filter(({ settled }) => !settled);
      if (queue.waiting.length === 0) break;
      // Entries that are still blocked join the next attempt.
      this.#blocked.set(account, []);
      for (const entry of queue.waiting) entry.queue = queue;
      await this.#runAll(account, queue);
    }
    this.#blocked.delete(account);
  }

  /** Runs the halves of a failed group, or fails the whole group if the halves would fail in the same way. */
  async #fail(
    account: string,
    queue: Queue<Item, Result>,
    group: readonly Entry<Item, Result>[],
    error: unknown,
  ): Promise<void> {
    if (group.length === 1 || affectsAllItems(error)) {
      for (const entry of group) settle(entry, { error });
      return;
    }
    const middle = Math.ceil(group.length / 2);
    for (const half of [group.slice(0, middle), group.slice(middle)]) {
      const unsettledEntries = half.filter(({ settled }) => !settled);
      queue.members = () => unsettledEntries;
      if (unsettledEntries.length > 0) await this.#run(account, queue, () => unsettledEntries);
    }
  }
}

/** Creates a queue. While no group is running, its members are all waiting entries. */
function emptyQueue<Item, Result>(): Queue<Item, Result> {
  const queue: Queue<Item, Result> = { waiting: [], members: () => queue.waiting, abort: new AbortController() };
  return queue;
}

/** True for an error about the database, not about an item, including a lost connection during COMMIT. */
function affectsAllItems(error: unknown): boolean {
  const code = databaseCondition(error)?.code;
  return code === Code.Unavailable || code === Code.DeadlineExceeded;
}

function settle<Item, Result>(entry: Entry<Item, Result>, outcome: Outcome<Result>): void {
  if (entry.settled) return;
  entry.settled = true;
  entry.resolve(outcome);
}

import { RecentUse } from './recent-use.ts';

/** How much a piece of work has used a shared resource so far, such as the database. */
export interface Use {
  /** How long its turns have taken so far, in milliseconds. */
  usedMs: number;
  /** The time of its first request for a turn; set by {@link Turns}. */
  requestedAt?: number;
  /** The account that the work is charged to, such as an organization. */
  account?: string | undefined;
}

interface Waiter {
  readonly account: string;
  /** Within an account, the lowest rank goes next. */
  readonly rank: number;
  readonly grant: () => void;
}

interface TurnsOptions {
  /** The maximum number of turns held at the same time. */
  readonly slots: number;
  /** The maximum wait for a turn, in milliseconds. */
  readonly maxWaitMs: number;
  /** Creates the error for a turn that was not granted in time. */
  readonly busyError: () => Error;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * For each millisecond that work has already used, it yields to other work of its account by this many milliseconds.
 */
const WEIGHT = 2;

/** Work that has used less than this, in milliseconds, waits only once and not for every statement. */
const QUICK_MS = 100;

/**
 * Quick work continues until its account is this far ahead of the next account, in milliseconds. The next account gets
 * that time back.
 */
const HEAD_START_MS = 50;

/** The account shared by all work that has no caller, such as deliveries. */
const NOBODY = '(nobody)';

/**
 * Schedules a shared resource, such as database connections or parsing, fairly. The next turn goes to the account with
 * the least recent use of the resource, regardless of how many callers wait, so an organization that keeps the resource
 * busy delays only itself.
 *
 * Within an account, requests rank by the time of arrival plus {@link WEIGHT} milliseconds for each millisecond that
 * the work has already used, so a call with a few statements does not wait behind every statement of a call with
 * hundreds. Work that has used little ranks by its first request, so it waits once and not for every statement.
 */
export class Turns {
  readonly #maxWaitMs: number;
  readonly #busyError: () => Error;
  readonly #now: () => number;
  readonly #recentUse: RecentUse;
  readonly #waiters = new Set<Waiter>();
  /** Slots reserved for the next statement of their previous holders. */
  readonly #reservations = new Map<Use, NodeJS.Immediate>();
  #freeSlots: number;

  constructor({ slots, maxWaitMs, busyError, now = () => performance.now() }: TurnsOptions) {
    this.#freeSlots = slots;
    this.#maxWaitMs = maxWaitMs;
    this.#busyError = busyError;
    this.#now = now;
    this.#recentUse = new RecentUse(now);
  }

  /**
   * Resolves when the turn is granted, with a function that ends it.
   *
   * @param use the caller's previous use, which grows by the turn's duration; undefined if there is no caller
   * @throws {Error} `busyError` if no turn was granted in time
   * @throws the reason of `signal` if it aborts first; the caller then leaves the queue immediately
   */
  async take(use: Use | undefined, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (use !== undefined) use.requestedAt ??= this.#now();
    if (this.#freeSlots > 0) this.#freeSlots -= 1;
    else if (use === undefined || !this.#resume(use)) await this.#wait(use, signal);
    const startedAt = this.#now();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const ms = this.#now() - startedAt;
      this.#recentUse.add(use?.account ?? NOBODY, ms);
      if (use !== undefined) use.usedMs += ms;
      if (use === undefined || !this.#reserve(use)) this.#pass();
    };
  }

  #rank(use: Use | undefined): number {
    const now = this.#now();
    if (use === undefined) return now;
    return use.usedMs < QUICK_MS ? (use.requestedAt ?? now) : now + WEIGHT * use.usedMs;
  }

  /** Reserves the slot until the next turn of the event loop for work that would be next in the queue. */
  #reserve(use: Use): boolean {
    if (this.#waiters.size === 0 || use.usedMs >= QUICK_MS || this.#reservations.has(use) || !this.#canContinue(use))
      return false;
    const pass = (): void => {
      this.#reservations.delete(use);
      this.#pass();
    };
    this.#reservations.set(use, setImmediate(pass));
    return true;
  }

  #resume(use: Use): boolean {
    if (!this.#reservations.has(use)) return false;
    clearImmediate(this.#reservations.get(use));
    this.#reservations.delete(use);
    // The account of the work may have become known in the meantime.
    if (this.#canContinue(use)) return true;
    this.#pass();
    return false;
  }

  #canContinue(use: Use): boolean {
    const next = this.#next();
    if (next === undefined) return true;
    const account = use.account ?? NOBODY;
    if (account === next.account) return this.#rank(use) <= next.rank;
    return this.#recentUse.get(account) <= this.#recentUse.get(next.account) + HEAD_START_MS;
  }

  #wait(use: Use | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.#busyError());
      }, this.#maxWaitMs);
      const waiter: Waiter = {
        account: use?.account ?? NOBODY,
        rank: this.#rank(use),
        grant: () => {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#waiters.add(waiter);
    });
  }

  #next(): Waiter | undefined {
    const firstWaiters = new Map<string, Waiter>();
    for (const waiter of this.#waiters) {
      const first = firstWaiters.get(waiter.account);
      if (first === undefined || waiter.rank < first.rank) firstWaiters.set(waiter.account, waiter);
    }
    let next: { first: Waiter; recentUse: number } | undefined;
    for (const first of firstWaiters.values()) {
      const used = this.#recentUse.get(first.account);
      const isBefore =
        next === undefined || used < next.recentUse || (used === next.recentUse && first.rank < next.first.rank);
      if (isBefore) next = { first, recentUse: used };
    }
    return next?.first;
  }

  /** Passes the slot on directly, so no newcomer can take it in between. */
  #pass(): void {
    const next = this.#next();
    if (next === undefined) this.#freeSlots += 1;
    else next.grant();
  }
}

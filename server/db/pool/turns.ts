import { RecentUse } from './recent-use.ts';

/** One call's use of a shared resource, such as the database. */
export interface Use {
  /** The total duration of the call's turns, in milliseconds. */
  usedMs: number;
  /** When the call first requested a turn. {@link Turns} sets it. */
  requestedAt?: number;
  /** The account that is charged for the call, such as an organization. */
  account?: string | undefined;
}

interface Waiter {
  readonly account: string;
  /** The lowest rank in an account is next. */
  readonly rank: number;
  readonly grant: () => void;
}

interface TurnsOptions {
  /** The maximum number of turns at a time. */
  readonly slots: number;
  /** The maximum wait for a turn, in milliseconds. */
  readonly maxWaitMs: number;
  /** Creates the error for a wait that took too long. */
  readonly busyError: () => Error;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** A call's penalty in its account's queue, in milliseconds for each millisecond that it has used. */
const WEIGHT = 2;

/** A call that has used less than this, in milliseconds, is quick: it queues once rather than before each statement. */
const QUICK_MS = 100;

/**
 * The lead over the next account, in milliseconds of recent use. Beyond it, a quick call lets that account go
 * first. The lead counts as use, so the next account catches up later.
 */
const HEAD_START_MS = 50;

/** The account of calls without a caller, such as deliveries. */
const NOBODY = '(nobody)';

/**
 * Shares a resource, such as database connections or a parser's thread, fairly among accounts. The next turn goes to
 * the account that has used the resource least in the last few seconds, however many calls each account has waiting. An
 * organization that keeps the resource busy therefore delays only itself.
 *
 * An account's calls queue in the order of their requests, with a penalty for the time that they have already used
 * ({@link WEIGHT}). A call with a few statements therefore doesn't wait for all statements of a call with hundreds. A
 * quick call keeps the place of its first request.
 */
export class Turns {
  readonly #maxWaitMs: number;
  readonly #busyError: () => Error;
  readonly #now: () => number;
  readonly #recentUse: RecentUse;
  readonly #waiters = new Set<Waiter>();
  /** The calls that a slot is reserved for, each with the timer that ends the reservation. */
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
   * Waits for a turn.
   *
   * @param use the call's use so far, to which the turn is added; undefined if there is no caller
   * @returns a function that ends the turn
   * @throws {Error} the `busyError`, if the wait takes too long
   * @throws the reason of `signal`, if it aborts during the wait
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

  /** Reserves the slot for the call's next statement, until the event loop's next iteration, if it may continue. */
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

  /** Takes the slot that is reserved for the call, if there is one and the call may still continue. */
  #resume(use: Use): boolean {
    if (!this.#reservations.has(use)) return false;
    clearImmediate(this.#reservations.get(use));
    this.#reservations.delete(use);
    // Authentication may have changed the call's account since.
    if (this.#canContinue(use)) return true;
    this.#pass();
    return false;
  }

  /** True if the call may take another turn before the next waiting call. */
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

  /** Returns the first call in the queue of the account with the least recent use. */
  #next(): Waiter | undefined {
    const firstByAccount = new Map<string, Waiter>();
    for (const waiter of this.#waiters) {
      const first = firstByAccount.get(waiter.account);
      if (first === undefined || waiter.rank < first.rank) firstByAccount.set(waiter.account, waiter);
    }
    let next: { waiter: Waiter; recentUse: number } | undefined;
    for (const waiter of firstByAccount.values()) {
      const recentUse = this.#recentUse.get(waiter.account);
      const isBefore =
        next === undefined ||
        recentUse < next.recentUse ||
        (recentUse === next.recentUse && waiter.rank < next.waiter.rank);
      if (isBefore) next = { waiter, recentUse };
    }
    return next?.waiter;
  }

  /** Gives the slot to the next waiting call directly, so no newcomer can take it first. */
  #pass(): void {
    const next = this.#next();
    if (next === undefined) this.#freeSlots += 1;
    else next.grant();
  }
}

import { DatabaseBusy } from '#server/db/database.ts';
import { RecentUse } from './recent-use.ts';

/** What a piece of work has used the database for so far. */
export interface Use {
  /** Milliseconds of held connections. */
  usedMs: number;
  /** When it first asked for a turn, which {@link Turns} notes. */
  askedAt?: number;
  /** Whose other work it shares its part of the database with, such as an organization. */
  account?: string | undefined;
}

interface Waiting {
  readonly account: string;
  /** Of one account, whoever has the lowest is next. */
  readonly rank: number;
  readonly go: () => void;
}

interface TurnsOptions {
  /** How many hold a connection at once. */
  readonly places: number;
  /** How long a turn is waited for, in milliseconds. */
  readonly patienceMs: number;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** By how much longer work lets other work of its account go first for each millisecond that it has used already. */
const WEIGHT = 2;

/** Work that has used the database for less, in milliseconds, waits once and not anew for each statement. */
const QUICK_MS = 100;

/**
 * Such work goes on while its account has used that much more than the next one, in milliseconds; the next gets it
 * back.
 */
const HEAD_START_MS = 50;

/** What is done on nobody's behalf, such as deliveries, shares one account. */
const NOBODY = '(nobody)';

/**
 * Hands out the connections of the database fairly. The next turn goes to the account that has used the database least
 * lately, however many others wait: an organization that keeps it busy waits for itself, and not the others for it.
 *
 * Of one account it goes to whoever asked first, plus {@link WEIGHT} milliseconds for each that this work has used
 * already, so that a call of a few statements does not wait behind each statement of calls that send hundreds. Work
 * that has used little ranks by its first asking, and so waits once and not for every statement.
 */
export class Turns {
  readonly #patienceMs: number;
  readonly #now: () => number;
  readonly #recent: RecentUse;
  readonly #waiting = new Set<Waiting>();
  /** Places that wait for the next statement of those who had them. */
  readonly #kept = new Map<Use, NodeJS.Immediate>();
  #free: number;

  constructor({ places, patienceMs, now = () => performance.now() }: TurnsOptions) {
    this.#free = places;
    this.#patienceMs = patienceMs;
    this.#now = now;
    this.#recent = new RecentUse(now);
  }

  /**
   * Resolves when it is one's turn, with what ends the turn.
   *
   * @param use of whoever asks, to which the time of this turn is added; undefined counts as nothing used
   * @throws {DatabaseBusy} when no turn came in time
   * @throws the reason of `signal` when that aborts first; whoever has gone leaves the queue at once
   */
  async take(use: Use | undefined, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (use !== undefined) use.askedAt ??= this.#now();
    if (this.#free > 0) this.#free -= 1;
    else if (use === undefined || !this.#goesOn(use)) await this.#wait(use, signal);
    const began = this.#now();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      const ms = this.#now() - began;
      this.#recent.add(use?.account ?? NOBODY, ms);
      if (use !== undefined) use.usedMs += ms;
      if (use === undefined || !this.#keep(use)) this.#pass();
    };
  }

  #rank(use: Use | undefined): number {
    const now = this.#now();
    if (use === undefined) return now;
    return use.usedMs < QUICK_MS ? (use.askedAt ?? now) : now + WEIGHT * use.usedMs;
  }

  /** Work that would be next if it asked has until the next turn of the event loop to ask. */
  #keep(use: Use): boolean {
    if (this.#waiting.size === 0 || use.usedMs >= QUICK_MS || this.#kept.has(use) || !this.#mayGoOn(use)) return false;
    const pass = (): void => {
      this.#kept.delete(use);
      this.#pass();
    };
    this.#kept.set(use, setImmediate(pass));
    return true;
  }

  #goesOn(use: Use): boolean {
    if (!this.#kept.has(use)) return false;
    clearImmediate(this.#kept.get(use));
    this.#kept.delete(use);
    // It may have become known meanwhile whose work it is.
    if (this.#mayGoOn(use)) return true;
    this.#pass();
    return false;
  }

  #mayGoOn(use: Use): boolean {
    const next = this.#next();
    if (next === undefined) return true;
    const account = use.account ?? NOBODY;
    if (account === next.account) return this.#rank(use) <= next.rank;
    return this.#recent.of(account) <= this.#recent.of(next.account) + HEAD_START_MS;
  }

  #wait(use: Use | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting);
        clearTimeout(timer);
        signal?.removeEventListener('abort', goneAway);
      };
      const goneAway = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(
          new DatabaseBusy(
            'No database connection came free in time. Either the database is overloaded, or code inside a ' +
              'transaction used the pool instead of its tx.',
          ),
        );
      }, this.#patienceMs);
      const waiting: Waiting = {
        account: use?.account ?? NOBODY,
        rank: this.#rank(use),
        go: () => {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', goneAway);
      this.#waiting.add(waiting);
    });
  }

  #next(): Waiting | undefined {
    const firsts = new Map<string, Waiting>();
    for (const waiting of this.#waiting) {
      const first = firsts.get(waiting.account);
      if (first === undefined || waiting.rank < first.rank) firsts.set(waiting.account, waiting);
    }
    let next: { first: Waiting; used: number } | undefined;
    for (const first of firsts.values()) {
      const used = this.#recent.of(first.account);
      const isBefore = next === undefined || used < next.used || (used === next.used && first.rank < next.first.rank);
      if (isBefore) next = { first, used };
    }
    return next?.first;
  }

  /** The place goes from hand to hand: nobody who asks in between takes it. */
  #pass(): void {
    const next = this.#next();
    if (next === undefined) this.#free += 1;
    else next.go();
  }
}

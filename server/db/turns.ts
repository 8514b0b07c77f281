import { DatabaseBusy } from './database.ts';
import { RecentUse } from './recent-use.ts';

/** What a piece of work has used the database for so far. */
export interface Use {
  /** Milliseconds of held connections. */
  usedMs: number;
  /** When it first asked for a turn, which {@link Turns} notes. */
  askedAt?: number;
  /** Whose other work it shares the database with, such as an organization; undefined while that is not known. */
  account?: string | undefined;
}

interface Waiting {
  /** Whoever has the lowest is next. */
  rank: number;
  go: () => void;
}

interface TurnsOptions {
  /** How many hold a connection at once. */
  places: number;
  /** How long a turn is waited for, in milliseconds. */
  patienceMs: number;
  /** Milliseconds that never go back. */
  now?: () => number;
}

/** By how much longer somebody lets others go first for each millisecond that the database has worked for them. */
const weight = 2;

/** Work that has used the database for less, in milliseconds, waits once and not anew for each statement. */
const quickMs = 100;

/** For how long an account that uses the database much lets the others go first, at most, in milliseconds. */
const mostBehindMs = 2_000;

/**
 * Hands out the connections of the database fairly. The next turn goes to the lowest rank, which is the time of asking
 * - plus {@link weight} milliseconds for each that this work has used the database already, so that a call of a few
 *   statements does not wait behind each statement of calls that send hundreds. Work that has used little ranks by its
 *   first asking, and so waits once and not for every statement;
 * - plus what its account has used lately, so that an organization that keeps the database busy waits for itself and
 *   not the others for it.
 *
 * Both are bounded, so nobody waits for ever: whoever asks later than that comes after them.
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
      if (use !== undefined) this.#note(use, this.#now() - began);
      if (use === undefined || !this.#keep(use)) this.#pass();
    };
  }

  #note(use: Use, ms: number): void {
    use.usedMs += ms;
    if (use.account !== undefined) this.#recent.add(use.account, ms);
  }

  #rank(use: Use | undefined): number {
    const now = this.#now();
    if (use === undefined) return now;
    const own = use.usedMs < quickMs ? (use.askedAt ?? now) : now + weight * use.usedMs;
    return own + (use.account === undefined ? 0 : Math.min(mostBehindMs, this.#recent.of(use.account)));
  }

  /** Work that would be next if it asked has until the next turn of the event loop to ask. */
  #keep(use: Use): boolean {
    const next = this.#next();
    if (next === undefined || use.usedMs >= quickMs || this.#rank(use) > next.rank || this.#kept.has(use)) return false;
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
    const next = this.#next();
    if (next === undefined || this.#rank(use) <= next.rank) return true;
    this.#pass();
    return false;
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
    let next: Waiting | undefined;
    for (const each of this.#waiting) if (next === undefined || each.rank < next.rank) next = each;
    return next;
  }

  /** The place goes from hand to hand: nobody who asks in between takes it. */
  #pass(): void {
    const next = this.#next();
    if (next === undefined) this.#free += 1;
    else next.go();
  }
}

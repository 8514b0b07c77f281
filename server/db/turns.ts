import { DatabaseBusy } from './database.ts';

/** What a piece of work has used the database for so far, in milliseconds of held connections. */
export interface Use {
  usedMs: number;
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
const weight = 4;

/** Somebody who has used the database for less, in milliseconds, goes on without queuing for each statement. */
const quickMs = 50;

/**
 * Hands out the connections of the database fairly: the next turn goes to whoever asked first, where each millisecond
 * that the same call has used the database already counts as {@link weight} milliseconds later. So a call of a few
 * statements does not wait behind each statement of calls that send hundreds, and those are put off by a bounded time
 * only: whoever asks later than that comes after them. A call that has used little keeps its place for the next
 * statement that it asks for in the same turn of the event loop, and so waits once and not for every statement.
 */
export class Turns {
  readonly #patienceMs: number;
  readonly #now: () => number;
  readonly #waiting = new Set<Waiting>();
  /** Places that wait for the next statement of those who had them. */
  readonly #kept = new Map<Use, NodeJS.Immediate>();
  #free: number;

  constructor({ places, patienceMs, now = () => performance.now() }: TurnsOptions) {
    this.#free = places;
    this.#patienceMs = patienceMs;
    this.#now = now;
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
    if (this.#free > 0) this.#free -= 1;
    else if (use === undefined || !this.#goesOn(use)) await this.#wait(use?.usedMs ?? 0, signal);
    const began = this.#now();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (use !== undefined) use.usedMs += this.#now() - began;
      if (use === undefined || !this.#keep(use)) this.#pass();
    };
  }

  #keep(use: Use): boolean {
    if (use.usedMs >= quickMs || this.#waiting.size === 0 || this.#kept.has(use)) return false;
    const pass = (): void => {
      this.#kept.delete(use);
      this.#pass();
    };
    this.#kept.set(use, setImmediate(pass));
    return true;
  }

  #goesOn(use: Use): boolean {
    clearImmediate(this.#kept.get(use));
    return this.#kept.delete(use);
  }

  #wait(usedMs: number, signal: AbortSignal | undefined): Promise<void> {
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
        rank: this.#now() + weight * usedMs,
        go: () => {
          leave();
          resolve();
        },
      };
      signal?.addEventListener('abort', goneAway);
      this.#waiting.add(waiting);
    });
  }

  /** The place goes from hand to hand: nobody who asks in between takes it. */
  #pass(): void {
    let next: Waiting | undefined;
    for (const each of this.#waiting) if (next === undefined || each.rank < next.rank) next = each;
    if (next === undefined) this.#free += 1;
    else next.go();
  }
}

/** How many wrong tries somebody gets, and how long they wait after. Times in milliseconds. */
export interface AttemptLimit {
  /** Wrong tries before the first pause. */
  readonly free: number;
  /** Tries are forgotten when none was wrong for this long. */
  readonly forgetAfter: number;
  /** Doubles with each wrong try after a pause. */
  readonly firstPause: number;
  readonly longestPause: number;
}

/** Counts wrong tries by key: an email address, a client's address, an account. */
export interface Attempts {
  /** During a pause nothing is looked at, so that a right answer is refused like a wrong one. */
  paused(key: string): boolean;
  failed(key: string): void;
  forget(key: string): void;
}

interface Count {
  readonly failures: number;
  readonly last: number;
  readonly pausedUntil: number;
}

/** A flood of made-up keys must not fill the memory; those that are forgotten first were due anyway. */
const MAX_KEYS = 10_000;

/** @param now milliseconds since the epoch */
export function attempts(limit: AttemptLimit, now: () => number = Date.now): Attempts {
  const counts = new Map<string, Count>();
  const current = (key: string): Count | undefined => {
    const count = counts.get(key);
    if (count === undefined || now() - Math.max(count.last, count.pausedUntil) <= limit.forgetAfter) return count;
    counts.delete(key);
    return undefined;
  };
  return {
    paused: (key) => (current(key)?.pausedUntil ?? 0) > now(),
    failed(key) {
      const failures = (current(key)?.failures ?? 0) + 1;
      const over = failures - limit.free;
      const pause = over < 0 ? 0 : Math.min(limit.firstPause * 2 ** over, limit.longestPause);
      // Deleted first: a map keeps the order of insertion, so that its first key is the one that failed longest ago.
      counts.delete(key);
      counts.set(key, { failures, last: now(), pausedUntil: now() + pause });
      const oldest = counts.size > MAX_KEYS ? counts.keys().next().value : undefined;
      if (oldest !== undefined) counts.delete(oldest);
    },
    forget: (key) => void counts.delete(key),
  };
}

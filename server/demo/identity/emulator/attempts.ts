/** The number of failed attempts allowed without a pause, and the pauses after further failures, in milliseconds. */
export interface AttemptLimit {
  /** Failed attempts before the first pause. */
  readonly freeAttempts: number;
  /** Failures are forgotten if no other failure follows within this time. */
  readonly forgetAfter: number;
  /** Doubles with each failed attempt after a pause. */
  readonly firstPause: number;
  readonly maxPause: number;
}

/** Counts failed attempts by key: an email address, a client's IP address, or an account. */
export interface Attempts {
  /** During a pause, every attempt is rejected unchecked, even with the right password or code. */
  isPaused(key: string): boolean;
  recordFailure(key: string): void;
  forget(key: string): void;
}

interface Count {
  readonly failures: number;
  readonly lastFailedAt: number;
  readonly pausedUntil: number;
}

/**
 * Limits the memory that a flood of made-up keys can use. The oldest keys are evicted first, and would also expire
 * first.
 */
const MAX_KEYS = 10_000;

/**
 * Counts attempts against a limit.
 *
 * @param now returns milliseconds since the epoch
 */
export function trackAttempts(limit: AttemptLimit, now: () => number = Date.now): Attempts {
  const counts = new Map<string, Count>();
  const currentCount = (key: string): Count | undefined => {
    const count = counts.get(key);
    if (count === undefined || now() - Math.max(count.lastFailedAt, count.pausedUntil) <= limit.forgetAfter)
      return count;
    counts.delete(key);
    return undefined;
  };
  return {
    isPaused: (key) => (currentCount(key)?.pausedUntil ?? 0) > now(),
    recordFailure(key) {
      const failures = (currentCount(key)?.failures ?? 0) + 1;
      const excess = failures - limit.freeAttempts;
      const pause = excess < 0 ? 0 : Math.min(limit.firstPause * 2 ** excess, limit.maxPause);
      // Deleting the key first moves it to the end of the map, so the first key is always the one that failed longest
      // ago.
      counts.delete(key);
      counts.set(key, { failures, lastFailedAt: now(), pausedUntil: now() + pause });
      const oldest = counts.size > MAX_KEYS ? counts.keys().next().value : undefined;
      if (oldest !== undefined) counts.delete(oldest);
    },
    forget: (key) => void counts.delete(key),
  };
}

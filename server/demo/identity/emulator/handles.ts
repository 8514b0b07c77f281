import { randomBytes } from 'node:crypto';

/** Values that others know by a random handle, for a while. */
export interface Handles<T> {
  /** @returns the handle */
  keep(value: T): string;
  /** @returns undefined when it is not known, or not any more */
  find(handle: string): T | undefined;
  drop(handle: string): void;
}

/** @param lifetime milliseconds */
export function handles<T>(lifetime: number, now: () => number = Date.now): Handles<T> {
  const kept = new Map<string, { value: T; until: number }>();
  return {
    keep(value) {
      for (const [handle, { until }] of kept) if (until < now()) kept.delete(handle);
      const handle = randomBytes(32).toString('base64url');
      kept.set(handle, { value, until: now() + lifetime });
      return handle;
    },
    find(handle) {
      const entry = kept.get(handle);
      return entry !== undefined && entry.until >= now() ? entry.value : undefined;
    },
    drop: (handle) => void kept.delete(handle),
  };
}

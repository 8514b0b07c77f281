import { randomBytes } from 'node:crypto';

/** A temporary store of values under random handles. */
export interface Handles<T> {
  /** Stores a value and returns its handle. */
  store(value: T): string;
  /** Finds the value for a handle. Returns undefined if the handle is unknown or has expired. */
  find(handle: string): T | undefined;
  remove(handle: string): void;
}

/**
 * Creates a store with handles that expire.
 *
 * @param lifetime in milliseconds
 */
export function createHandles<T>(lifetime: number, now: () => number = Date.now): Handles<T> {
  const entries = new Map<string, { value: T; until: number }>();
  return {
    store(value) {
      for (const [handle, { until }] of entries) if (until < now()) entries.delete(handle);
      const handle = randomBytes(32).toString('base64url');
      entries.set(handle, { value, until: now() + lifetime });
      return handle;
    },
    find(handle) {
      const entry = entries.get(handle);
      return entry !== undefined && entry.until >= now() ? entry.value : undefined;
    },
    remove: (handle) => void entries.delete(handle),
  };
}

export interface BrowserStorage {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/**
 * A storage of the browser as far as it lets us use it. What it refuses to keep, being blocked or full, lasts as long
 * as the page.
 */
function storageOf(area: () => Storage): BrowserStorage {
  const refused = new Map<string, string>();
  return {
    get: (key) => refused.get(key) ?? unlessRefused(() => area().getItem(key)) ?? undefined,
    set(key, value) {
      refused.set(key, value);
      unlessRefused(() => {
        area().setItem(key, value);
        refused.delete(key);
      });
    },
    remove(key) {
      refused.delete(key);
      unlessRefused(() => area().removeItem(key));
    },
  };
}

/** Undefined where the browser refuses: `SecurityError` when storage is blocked, `QuotaExceededError` when full. */
function unlessRefused<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Shared by the tabs of this browser. */
export const browserStorage = storageOf(() => window.localStorage);

/** Of this tab alone. */
export const tabStorage = storageOf(() => window.sessionStorage);

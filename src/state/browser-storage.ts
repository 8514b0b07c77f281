export interface BrowserStorage {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/**
 * Creates a browser storage with a fallback. If storage is blocked or full, values stay in memory until the page is
 * closed.
 */
function createStorage(area: () => Storage): BrowserStorage {
  const fallback = new Map<string, string>();
  return {
    get: (key) => fallback.get(key) ?? tryAccess(() => area().getItem(key)) ?? undefined,
    set(key, value) {
      fallback.set(key, value);
      tryAccess(() => {
        area().setItem(key, value);
        fallback.delete(key);
      });
    },
    remove(key) {
      fallback.delete(key);
      tryAccess(() => area().removeItem(key));
    },
  };
}

/** Returns undefined if storage is blocked (`SecurityError`) or full (`QuotaExceededError`). */
function tryAccess<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Storage shared by all tabs of this browser. */
export const browserStorage = createStorage(() => window.localStorage);

/** Storage for this tab only. */
export const tabStorage = createStorage(() => window.sessionStorage);

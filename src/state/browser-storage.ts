export interface BrowserStorage {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/**
 * Creates a browser storage with a fallback: values the browser refuses to store, because storage is blocked or full,
 * last as long as the page.
 */
function createStorage(area: () => Storage): BrowserStorage {
  const refused = new Map<string, string>();
  return {
    get: (key) => refused.get(key) ?? tryAccess(() => area().getItem(key)) ?? undefined,
    set(key, value) {
      refused.set(key, value);
      tryAccess(() => {
        area().setItem(key, value);
        refused.delete(key);
      });
    },
    remove(key) {
      refused.delete(key);
      tryAccess(() => area().removeItem(key));
    },
  };
}

/** Undefined if the browser refuses: `SecurityError` if storage is blocked, `QuotaExceededError` if it is full. */
function tryAccess<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Shared by the tabs of this browser. */
export const browserStorage = createStorage(() => window.localStorage);

/** For this tab only. */
export const tabStorage = createStorage(() => window.sessionStorage);

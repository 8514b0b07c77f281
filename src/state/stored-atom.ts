import { atomWithStorage } from 'jotai/utils';

import { browserStorage } from './browser-storage.ts';

/**
 * Creates an atom stored in this browser and shared by its tabs. `read` validates the stored value, which an older
 * version or other code may have written.
 */
export function storedAtom<T>(key: string, initial: T, read: (stored: unknown) => T) {
  const parse = (text: string | null | undefined): T => {
    if (text === null || text === undefined) return initial;
    try {
      return read(JSON.parse(text));
    } catch (error) {
      // The stored value is not valid JSON.
      if (error instanceof SyntaxError) return initial;
      throw error;
    }
  };
  const storage = {
    getItem: () => parse(browserStorage.get(key)),
    setItem: (_key: string, value: T) => browserStorage.set(key, JSON.stringify(value)),
    removeItem: () => browserStorage.remove(key),
    /** Follows writes by other tabs. An event without a key means that a tab cleared everything. */
    subscribe(_key: string, notify: (value: T) => void) {
      const onStorage = (event: StorageEvent): void => {
        if (event.key === key || event.key === null) notify(parse(event.newValue));
      };
      window.addEventListener('storage', onStorage);
      return () => window.removeEventListener('storage', onStorage);
    },
  };
  return atomWithStorage<T>(key, initial, storage, { getOnInit: true });
}

import type { RowSource } from '../row-source.ts';

/** Creates a source for rows that are all in memory. */
export function createArraySource<Row>(
  initial: readonly Row[],
): RowSource<Row> & { set: (rows: readonly Row[]) => void } {
  const listeners = new Set<() => void>();
  let rows = initial;
  let version = 0;
  return {
    total: () => rows.length,
    version: () => version,
    isShown: () => true,
    rowAt: (index) => rows[index],
    errorAt: () => undefined,
    request: () => {},
    load: async ({ start, end }) => rows.slice(start, end),
    retry: () => {},
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next) {
      rows = next;
      version++;
      for (const listener of listeners) listener();
    },
  };
}

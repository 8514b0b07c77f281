/** Rows by index: `end` is not included. */
export interface RowRange {
  start: number;
  end: number;
}

/**
 * A list of any length, of which only some rows are here. The table asks for what it shows; what arrives is announced.
 * Rows that were here stay until their successors arrive, so that nothing on the screen blinks while data changes.
 */
export interface RowSource<Row> {
  /** How many rows there are; undefined until the first answer. */
  total: () => number | undefined;
  /** Changes whenever total, rows or errors do. */
  version: () => number;
  /** The row at an index, or undefined while it is not here. The same object until the row changes. */
  rowAt: (index: number) => Row | undefined;
  /** Why the row at an index is not here, when asking for it failed. */
  errorAt: (index: number) => unknown;
  /** What is visible now. Replaces the range asked for before. */
  request: (range: RowRange) => void;
  /** Every row of a range, fetched when not here: for selecting across rows that were never on the screen. */
  load: (range: RowRange, signal?: AbortSignal) => Promise<readonly Row[]>;
  /** Asks again for what failed. */
  retry: () => void;
  subscribe: (listener: () => void) => () => void;
}

/** A source over rows that are all here. */
export function createArraySource<Row>(
  initial: readonly Row[],
): RowSource<Row> & { set: (rows: readonly Row[]) => void } {
  const listeners = new Set<() => void>();
  let rows = initial;
  let version = 0;
  return {
    total: () => rows.length,
    version: () => version,
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

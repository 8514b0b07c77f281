/** Rows by index: `end` is not included. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A list of any length, of which only some rows are here. The table asks for what it shows; what arrives is announced.
 * Rows that were here stay until their successors arrive, so that nothing on the screen blinks while data changes.
 */
export interface RowSource<Row> {
  /** How many rows there are; undefined until the first answer. */
  readonly total: () => number | undefined;
  /** Changes whenever total, rows or errors do. */
  readonly version: () => number;
  /** The row at an index, or undefined while it is not here. The same object until the row changes. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Why the row at an index is not here, when asking for it failed. */
  readonly errorAt: (index: number) => unknown;
  /** What is visible now. Replaces the range asked for before. */
  readonly request: (range: RowRange) => void;
  /** Every row of a range, fetched when not here: for selecting across rows that were never on the screen. */
  readonly load: (range: RowRange, signal?: AbortSignal) => Promise<readonly Row[]>;
  /** Asks again for what failed. */
  readonly retry: () => void;
  readonly subscribe: (listener: () => void) => () => void;
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

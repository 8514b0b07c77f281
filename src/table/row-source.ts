/** A range of rows by index. `end` is exclusive. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A list of any length, loaded page by page. The table requests its visible rows and is notified when rows arrive.
 * Loaded rows stay until their replacements arrive, which avoids flicker while data changes.
 */
export interface RowSource<Row> {
  /** The number of rows. Undefined until the first response. */
  readonly total: () => number | undefined;
  /** Changes whenever the total, rows, or errors change. */
  readonly version: () => number;
  /** True if the visible rows, or the visible error, belong to the latest list. */
  readonly isShown: () => boolean;
  /** The row at an index, or undefined if it hasn't loaded. The same object until the row changes. */
  readonly rowAt: (index: number) => Row | undefined;
  /** The error that prevented the row at an index from loading, if any. */
  readonly errorAt: (index: number) => unknown;
  /** Requests the visible range, replacing the previous one. */
  readonly request: (range: RowRange) => void;
  /** Returns all rows in a range, loading them if necessary. Used to select rows that were never visible. */
  readonly load: (range: RowRange, signal?: AbortSignal) => Promise<readonly Row[]>;
  /** Retries failed requests. */
  readonly retry: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

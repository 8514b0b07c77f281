import type { RowSource } from './row-source.ts';

/** Number of rows per request. */
const BLOCK_SIZE = 100;
/** If there is no `sortIds`, the list is read only up to this row. */
const MAX_ROWS_READ = 2000;

interface LocateOptions<Row> {
  readonly source: RowSource<Row>;
  readonly rowId: (row: Row) => string;
  readonly id: string;
  /** Sorts ids in list order and drops unknown ids. Undefined if the contract can't select by id. */
  readonly sortIds?: ((ids: readonly string[], signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Returns the index of an item in a list of any length, or undefined if it isn't in the list. The server can't return
 * the index of an id, so a long list is searched by bisection. In each step, the server sorts the id among the ids of
 * the middle rows.
 */
export async function locate<Row>({
  source,
  rowId,
  id,
  sortIds,
  signal,
}: LocateOptions<Row>): Promise<number | undefined> {
  const total = source.total() ?? 0;
  for (let index = 0; index < total; index++) {
    const row = source.rowAt(index);
    if (row !== undefined && rowId(row) === id) return index;
  }
  const blockAt = async (block: number): Promise<readonly string[]> => {
    const rows = await source.load(
      { start: block * BLOCK_SIZE, end: Math.min(total, (block + 1) * BLOCK_SIZE) },
      signal,
    );
    signal.throwIfAborted();
    return rows.map(rowId);
  };
  let low = 0;
  let high = Math.ceil(total / BLOCK_SIZE) - 1;
  if (!sortIds || high * BLOCK_SIZE < 2 * BLOCK_SIZE) {
    for (let block = low; block <= Math.min(high, MAX_ROWS_READ / BLOCK_SIZE); block++) {
      const offset = (await blockAt(block)).indexOf(id);
      if (offset >= 0) return block * BLOCK_SIZE + offset;
    }
    return undefined;
  }
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const ids = await blockAt(middle);
    const offset = ids.indexOf(id);
    if (offset >= 0) return middle * BLOCK_SIZE + offset;
    const [first] = ids;
    const last = ids.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const orderedIds = await sortIds([first, id, last], signal);
    signal.throwIfAborted();
    const position = orderedIds.indexOf(id);
    if (position < 0) return undefined;
    if (position < orderedIds.indexOf(first)) high = middle - 1;
    else if (position > orderedIds.indexOf(last)) low = middle + 1;
    else return undefined;
  }
  return undefined;
}

import type { RowSource } from './row-source.ts';

/** Rows per request. */
const BLOCK = 100;
/** Without `order`, lists are read up to this row. */
const READ_THROUGH = 2000;

interface LocateOptions<Row> {
  readonly source: RowSource<Row>;
  readonly rowId: (row: Row) => string;
  readonly id: string;
  /** Sorts ids by the order of the list, dropping unknown ones. Absent if the contract cannot select by id. */
  readonly order?: ((ids: readonly string[], signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  readonly signal: AbortSignal;
}

/**
 * The index of an item in a list of any length, or undefined if it is not in the list. The server cannot return the
 * index of an id, so a long list is searched by bisection: the server sorts the item among the middle rows.
 */
export async function locate<Row>({
  source,
  rowId,
  id,
  order,
  signal,
}: LocateOptions<Row>): Promise<number | undefined> {
  const total = source.total() ?? 0;
  for (let index = 0; index < total; index++) {
    const row = source.rowAt(index);
    if (row !== undefined && rowId(row) === id) return index;
  }
  const blockAt = async (block: number): Promise<readonly string[]> => {
    const rows = await source.load({ start: block * BLOCK, end: Math.min(total, (block + 1) * BLOCK) }, signal);
    signal.throwIfAborted();
    return rows.map(rowId);
  };
  let low = 0;
  let high = Math.ceil(total / BLOCK) - 1;
  if (!order || high * BLOCK < 2 * BLOCK) {
    for (let block = low; block <= Math.min(high, READ_THROUGH / BLOCK); block++) {
      const offset = (await blockAt(block)).indexOf(id);
      if (offset >= 0) return block * BLOCK + offset;
    }
    return undefined;
  }
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const ids = await blockAt(middle);
    const offset = ids.indexOf(id);
    if (offset >= 0) return middle * BLOCK + offset;
    const [first] = ids;
    const last = ids.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const ordered = await order([first, id, last], signal);
    signal.throwIfAborted();
    const position = ordered.indexOf(id);
    if (position < 0) return undefined;
    if (position < ordered.indexOf(first)) high = middle - 1;
    else if (position > ordered.indexOf(last)) low = middle + 1;
    else return undefined;
  }
  return undefined;
}

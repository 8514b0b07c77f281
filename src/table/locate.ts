import type { RowSource } from './row-source.ts';

/** Rows fetched at a time. */
const BLOCK = 100;
/** A list that cannot be asked for its order is read through up to here. */
const READ_THROUGH = 2000;

interface Located<Row> {
  readonly source: RowSource<Row>;
  readonly rowId: (row: Row) => string;
  readonly id: string;
  /**
   * Puts ids into the order of the list, leaving out those it does not know. Absent where the contract cannot select
   * by id.
   */
  readonly order?: ((ids: readonly string[], signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  readonly signal: AbortSignal;
}

/**
 * The index of an item in a list of any length, or undefined when the list does not have it. Nothing tells an index
 * from an id, so a long list is searched by halves: the server itself says whether the item comes before or after the
 * rows in the middle.
 */
export async function locate<Row>({ source, rowId, id, order, signal }: Located<Row>): Promise<number | undefined> {
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
      const at = (await blockAt(block)).indexOf(id);
      if (at >= 0) return block * BLOCK + at;
    }
    return undefined;
  }
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const ids = await blockAt(middle);
    const at = ids.indexOf(id);
    if (at >= 0) return middle * BLOCK + at;
    const [first] = ids;
    const last = ids.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const ordered = await order([first, id, last], signal);
    signal.throwIfAborted();
    const place = ordered.indexOf(id);
    if (place < 0) return undefined;
    if (place < ordered.indexOf(first)) high = middle - 1;
    else if (place > ordered.indexOf(last)) low = middle + 1;
    else return undefined;
  }
  return undefined;
}

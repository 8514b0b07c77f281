import { describe, expect, test, vi } from 'vitest';

import { locate } from './locate.ts';
import { createPagedSource } from './paged-source.ts';

const rowId = (row: { id: string }): string => row.id;
const { signal } = new AbortController();

/** Creates a list with `count` rows in an order unrelated to their ids. Only its first page is loaded. */
async function createList(count: number) {
  const rows = Array.from({ length: count }, (_, index) => ({ id: `${(index * 7919) % 1_000_003}` }));
  const fetchPage = vi.fn<(page: number, size: number) => Promise<{ rows: typeof rows; total: number }>>(
    async (page, size) => ({ rows: rows.slice(page * size, (page + 1) * size), total: count }),
  );
  const source = createPagedSource({ fetchPage });
  source.request({ start: 0, end: 30 });
  await vi.waitFor(() => expect(source.total()).toBe(count));
  fetchPage.mockClear();
  const positions = new Map(rows.map(({ id }, index) => [id, index]));
  const sortIds = vi.fn<(ids: readonly string[]) => Promise<readonly string[]>>(async (ids) =>
    ids.filter((id) => positions.has(id)).toSorted((a, b) => positions.get(a)! - positions.get(b)!),
  );
  return { rows, source, fetchPage, sortIds };
}

describe('locating an item in a list', () => {
  test('makes no request if the row is loaded', async () => {
    const { rows, source, fetchPage, sortIds } = await createList(2000);
    expect(await locate({ source, rowId, id: rows[12]!.id, sortIds, signal })).toBe(12);
    expect(fetchPage).not.toHaveBeenCalled();
    expect(sortIds).not.toHaveBeenCalled();
  });

  test.each([0, 99, 100, 54_321, 99_900, 99_999])('finds index %i of 100,000 in at most 20 calls', async (index) => {
    const { rows, source, fetchPage, sortIds } = await createList(100_000);
    expect(await locate({ source, rowId, id: rows[index]!.id, sortIds, signal })).toBe(index);
    expect(fetchPage.mock.calls.length + sortIds.mock.calls.length).toBeLessThanOrEqual(20);
  });

  test("reads the list page by page if ids can't be sorted", async () => {
    const { rows, source, sortIds } = await createList(640);
    expect(await locate({ source, rowId, id: rows[601]!.id, signal })).toBe(601);
    expect(await locate({ source, rowId, id: 'missing', signal })).toBeUndefined();
    expect(sortIds).not.toHaveBeenCalled();
  });

  test("finds nothing if the item isn't in the list, even if it exists on the server", async () => {
    const { rows, source, fetchPage, sortIds } = await createList(5000);
    expect(await locate({ source, rowId, id: 'missing', sortIds, signal })).toBeUndefined();
    // An item that is filtered out of the list but exists on the server, where it sorts between two rows.
    const sortWithOther = async (ids: readonly string[]): Promise<readonly string[]> => {
      const blockStart = rows.findIndex(({ id }) => id === ids[0]);
      return blockStart <= 2550
        ? [ids[0]!, ...(blockStart < 2500 ? [ids[2]!, 'other'] : ['other', ids[2]!])]
        : ['other', ids[0]!, ids[2]!];
    };
    expect(await locate({ source, rowId, id: 'other', sortIds: sortWithOther, signal })).toBeUndefined();
    expect(fetchPage.mock.calls.length).toBeLessThan(20);
  });

  test('stops when aborted', async () => {
    const { rows, source, sortIds } = await createList(5000);
    const search = new AbortController();
    const result = locate({ source, rowId, id: rows[4000]!.id, sortIds, signal: search.signal });
    search.abort();
    await expect(result).rejects.toMatchObject({ name: 'AbortError' });
  });
});

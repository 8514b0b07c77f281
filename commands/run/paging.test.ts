import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { Pagination_ResultSchema } from '#proto/gen/hiber/base_pb.ts';

import { loadWindow, type ListResponse } from './paging.ts';

/** Creates a fake server with `itemCount` items that reports `total`, and serves at most `maxSize` items per page. */
function server(itemCount: number, total: number, maxSize = 1000, approximatedTotal = false) {
  return async ({ page = 0, size = 50 }: { page?: number; size?: number }): Promise<ListResponse<number>> => {
    const effectiveSize = Math.min(size, maxSize);
    const allItems = Array.from({ length: itemCount }, (_, index) => index);
    return {
      items: allItems.slice(page * effectiveSize, (page + 1) * effectiveSize),
      pagination: create(Pagination_ResultSchema, { page, size: effectiveSize, total, approximatedTotal }),
    };
  };
}

test('assembles a page from smaller server pages', async () => {
  const page = await loadWindow({ page: 1, size: 10 }, server(25, 25, 4));
  expect(page).toEqual({ items: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19], total: 25 });
  expect((await loadWindow({ page: 2, size: 10 }, server(25, 25))).items).toEqual([20, 21, 22, 23, 24]);
});

test('marks a list that ends before its total as capped', async () => {
  expect(await loadWindow({ page: 0, size: 10 }, server(5, 8))).toEqual({
    items: [0, 1, 2, 3, 4],
    total: 8,
    capped: true,
  });
  expect(await loadWindow({ page: 0, size: 10 }, server(5, 8, 3))).toMatchObject({ capped: true });
  expect(await loadWindow({ page: 1, size: 5 }, server(5, 12))).toMatchObject({ items: [], capped: true });
});

test('does not mark a complete list or a list with an estimated total', async () => {
  for (const load of [server(8, 8), server(5, 8, 1000, true)])
    expect(await loadWindow({ page: 0, size: 10 }, load)).not.toHaveProperty('capped');
  expect(await loadWindow({ page: 3, size: 10 }, server(8, 8))).not.toHaveProperty('capped');
});

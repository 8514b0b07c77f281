import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Page, Window } from '#commands/model/list.ts';
import type { Pagination_Result, PaginationSchema } from '#proto/gen/hiber/base_pb.ts';

/** The response to one of the contract's list calls, with its items under a common name. */
export interface ListResponse<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination_Result | undefined;
}

/** Requests one page. */
export type Load<Item> = (pagination: MessageInitShape<typeof PaginationSchema>) => Promise<ListResponse<Item>>;

/** The page size for loading all items. A server can lower it to its own maximum (contract: Pagination). */
const MAX_PAGE_SIZE = 500;

/**
 * Loads one window of a list. If the server lowers the page size to its maximum, page numbers shift, so this assembles
 * the window from the smaller pages. If the server returns fewer items than its own total, the list is capped.
 */
export async function loadWindow<Item>({ page, size }: Window, load: Load<Item>): Promise<Page<Item>> {
  const first = await load({ page, size });
  const effectiveSize = first.pagination?.size || size;
  const total = first.pagination?.total ?? first.items.length;
  const toPage = (items: readonly Item[]): Page<Item> => {
    const isIncomplete = items.length < Math.min(size, total - page * size);
    return { items, total, ...(isIncomplete && !first.pagination?.approximatedTotal ? { capped: true } : {}) };
  };
  if (effectiveSize >= size) return toPage(first.items);
  const start = page * size;
  const end = Math.min(start + size, total);
  const from = Math.floor(start / effectiveSize);
  const items: Item[] = [];
  for (let index = from; index * effectiveSize < end; index++) {
    items.push(...(await load({ page: index, size: effectiveSize })).items);
  }
  return toPage(items.slice(start - from * effectiveSize, end - from * effectiveSize));
}

/**
 * Loads every item of a list that is known to be short, such as an organization's tokens or the devices with the given
 * numbers.
 */
export async function loadAllPages<Item>(load: Load<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let page = 0; ; page++) {
    const { items: pageItems, pagination } = await load({ page, size: MAX_PAGE_SIZE });
    items.push(...pageItems);
    if (pageItems.length === 0 || page + 1 >= (pagination?.totalPages ?? 0)) return items;
  }
}

/** The maximum number of ids in a request. */
export const IDS_PER_REQUEST = 500;
/** The maximum number of requests in flight. */
const CONCURRENCY = 4;

/** Looks up any number of ids in chunks, to limit the size of a request and the load on the server. */
export async function loadInChunks<Id, Item>(
  ids: readonly Id[],
  load: (part: readonly Id[]) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const parts of chunks(chunks(ids, IDS_PER_REQUEST), CONCURRENCY)) {
    items.push(...(await Promise.all(parts.map(load))).flat());
  }
  return items;
}

/** Splits a list into chunks. */
export function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

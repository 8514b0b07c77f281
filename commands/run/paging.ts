import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Pagination_Result, PaginationSchema } from '#proto/gen/hiber/base_pb.ts';
import type { Page, Window } from '#commands/model/list.ts';

/** What a list call of the contract answers with, its items by whatever name. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination_Result | undefined;
}

/** Asks for one page. */
export type Load<Item> = (pagination: MessageInitShape<typeof PaginationSchema>) => Promise<Listed<Item>>;

/** Items asked for at a time where all are needed; a server lowers it to its own maximum (contract: Pagination). */
const ALL_PAGE = 500;

/**
 * The window of a list. A server may lower the page size to its maximum, which shifts what a page number means; the
 * window is then put together from the smaller pages. A server that ends the list before its own total has capped it.
 */
export async function windowOf<Item>({ page, size }: Window, load: Load<Item>): Promise<Page<Item>> {
  const first = await load({ page, size });
  const effective = first.pagination?.size || size;
  const total = first.pagination?.total ?? first.items.length;
  const pageOf = (items: readonly Item[]): Page<Item> => {
    const missing = items.length < Math.min(size, total - page * size);
    return { items, total, ...(missing && !first.pagination?.approximatedTotal ? { capped: true } : {}) };
  };
  if (effective >= size) return pageOf(first.items);
  const start = page * size;
  const end = Math.min(start + size, total);
  const from = Math.floor(start / effective);
  const items: Item[] = [];
  for (let at = from; at * effective < end; at++) {
    items.push(...(await load({ page: at, size: effective })).items);
  }
  return pageOf(items.slice(start - from * effective, end - from * effective));
}

/**
 * Every item of a list that is known to be short: the tokens or webhooks of an organization, the devices named by
 * number.
 */
export async function allOf<Item>(load: Load<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let page = 0; ; page++) {
    const { items: more, pagination } = await load({ page, size: ALL_PAGE });
    items.push(...more);
    if (more.length === 0 || page + 1 >= (pagination?.totalPages ?? 0)) return items;
  }
}

/** Items named in one request, and requests under way at once. */
const NAMED = 500;
const AT_ONCE = 4;

/** Looks up any number of ids, some at a time, so that neither a request nor the server's load grows with them. */
export async function inParts<Id, Item>(
  ids: readonly Id[],
  load: (part: readonly Id[]) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (const parts of chunks(chunks(ids, NAMED), AT_ONCE)) {
    found.push(...(await Promise.all(parts.map(load))).flat());
  }
  return found;
}

/** Splits a list so that a request stays small. */
export function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

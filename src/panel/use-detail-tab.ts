import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { DetailTab } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import { contextNow } from '#src/run/context.ts';

export interface DetailTabRows {
  /** Undefined until the first page has loaded. */
  readonly rows: readonly unknown[] | undefined;
  /** True if the server has more rows than it returns. */
  readonly isCapped: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Loads the next page. Undefined if there is no next page. */
  readonly loadMore: (() => void) | undefined;
  readonly isLoadingMore: boolean;
  /** The reason why the next page failed to load. */
  readonly moreError: Error | null;
}

/**
 * Loads the rows of an item's tab page by page. `queryKey` ends with the item's id. The previous rows stay visible
 * while rows for a different filter load.
 */
export function useDetailTab(
  tab: DetailTab<unknown>,
  item: unknown,
  queryKey: readonly unknown[],
  filterValues: Args,
): DetailTabRows {
  const id = queryKey.at(-1);
  const { data, error, refetch, ...next } = useInfiniteQuery({
    queryKey: [...queryKey.slice(0, -1), filterValues, id],
    queryFn: async ({ signal, pageParam }) => {
      const loaded = await tab.load({ ...contextNow({ signal }) }, item, { page: pageParam, filterValues });
      return { rows: loaded, capped: loaded.capped ?? false };
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      tab.pages && !last.capped && last.rows.length >= tab.limit ? pages.length : undefined,
    // No event announces these rows, so they are loaded again while someone looks at them.
    refetchInterval: tab.reloadInterval === undefined ? false : tab.reloadInterval * 1000,
    refetchOnWindowFocus: tab.reloadInterval === undefined ? false : 'always',
    placeholderData: (previous, query) => (query?.queryKey.at(-1) === id ? previous : undefined),
  });
  const rows = useMemo(
    () =>
      data &&
      removeDuplicates(
        tab,
        data.pages.flatMap((page) => page.rows),
      ),
    [tab, data],
  );
  return {
    rows,
    isCapped: data?.pages.some(({ capped }) => capped) ?? false,
    error,
    retry: () => void refetch(),
    loadMore: next.hasNextPage ? () => void next.fetchNextPage() : undefined,
    isLoadingMore: next.isFetchingNextPage,
    moreError: next.isFetchNextPageError ? error : null,
  };
}

/**
 * Removes duplicates. Rows that are added after the first page was loaded push other rows onto the next page, which
 * then repeats them.
 */
function removeDuplicates(tab: DetailTab<unknown>, rows: readonly unknown[]): readonly unknown[] {
  return [...new Map(rows.map((row) => [tab.key(row), row])).values()];
}

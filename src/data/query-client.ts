import { QueryCache, QueryClient, type QueryFilters } from '@tanstack/react-query';

import { failureOf } from '#commands/model/errors.ts';
import { report } from '#src/net/report.ts';

/** The first retry delay (spec 9), for errors that a retry can fix. It doubles with each attempt. */
const BASE_MS = 1000;
/** The maximum retry delay (spec 9). */
const MAX_MS = 30_000;

/** Queries whose data changed while loading. */
const changedDuringFetch = new WeakSet<object>();

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => report(error),
    onSettled: (_data, _error, query) => {
      if (changedDuringFetch.delete(query)) invalidate({ queryKey: query.queryKey, exact: true });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < 3 && failureOf(error).retryable,
      retryDelay: (attempt) => Math.min(BASE_MS * 2 ** attempt, MAX_MS),
      refetchOnWindowFocus: false,
    },
  },
});

/**
 * Invalidates queries. Visible ones reload now, and others when next needed. A response in flight may predate the
 * change. The query accepts it, because changes can outpace responses, and then loads again.
 */
export function invalidate(filters: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    if (query.state.fetchStatus === 'fetching') changedDuringFetch.add(query);
  }
  void queryClient.invalidateQueries(filters, { cancelRefetch: false });
}

/** Builds a query key. It starts with the organization, so leaving an organization removes exactly its data. */
export function keyOf(organization: string, ...parts: readonly unknown[]): readonly unknown[] {
  return ['organization', organization, ...parts];
}

export function forgetOrganization(organization: string): void {
  queryClient.removeQueries({ queryKey: keyOf(organization) });
}

/** How often reference data was invalidated, keyed by organization and entity. */
const generations = new Map<string, number>();

/**
 * Returns the query key of reference data, such as `tag:list:{}`, starting with its entity. The key changes on
 * invalidation, because a response in flight may still have the old data.
 */
export function referenceKey(organization: string, key: string): readonly unknown[] {
  const [entity = '', ...parts] = key.split(':');
  return keyOf(organization, 'reference', entity, generations.get(`${organization} ${entity}`) ?? 0, ...parts);
}

/** Invalidates an entity's reference data, which reloads when next needed. */
export function forgetReference(organization: string, entity: string): void {
  const scope = `${organization} ${entity}`;
  generations.set(scope, (generations.get(scope) ?? 0) + 1);
}

/** Invalidates all data of an entity. Visible queries reload now, and others when next needed. */
export function forgetEntity(organization: string, entity: string): void {
  forgetReference(organization, entity);
  invalidate({ queryKey: keyOf(organization, entity) });
}

/** Invalidates individual items and everything that belongs to them (keys that end with their id). */
export function forgetItems(organization: string, entity: string, ids: readonly string[]): void {
  invalidate({
    queryKey: keyOf(organization, entity),
    predicate: ({ queryKey }) => ids.includes(String(queryKey.at(-1))),
  });
}

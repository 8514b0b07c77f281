import { QueryCache, QueryClient, type QueryFilters } from '@tanstack/react-query';

import { failureOf } from '#commands/model/errors.ts';

import { report } from '#src/net/report.ts';

/** Retry helper of spec 9: 1 s doubling, at most 30 s; only what a retry can mend. */
const BASE_MS = 1000;
const MAX_MS = 30_000;

/** What changed while it was being asked for. */
const changedMeanwhile = new WeakSet<object>();

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => report(error),
    onSettled: (_data, _error, query) => {
      if (changedMeanwhile.delete(query)) askAgain({ queryKey: query.queryKey, exact: true });
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
 * Asked for again when it is next needed; what is on the screen, now. An answer that is under way may be from before
 * the change: it arrives, since changes may come faster than answers, and does not count as the last one.
 */
export function askAgain(filters: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    if (query.state.fetchStatus === 'fetching') changedMeanwhile.add(query);
  }
  void queryClient.invalidateQueries(filters, { cancelRefetch: false });
}

/** Keys lead with the organization, so that leaving one drops all of it and only it. */
export function keyOf(organization: string, ...parts: readonly unknown[]): readonly unknown[] {
  return ['organization', organization, ...parts];
}

export function forgetOrganization(organization: string): void {
  queryClient.removeQueries({ queryKey: keyOf(organization) });
}

/** How often reference data was forgotten, by organization and entity. */
const rounds = new Map<string, number>();

/**
 * Where reference data is kept, its entity first: `tag:list:{}`. Another place after it was forgotten, since what is
 * being asked for at that moment may be answered with what was there before.
 */
export function referenceKey(organization: string, key: string): readonly unknown[] {
  const [entity = '', ...rest] = key.split(':');
  return keyOf(organization, 'reference', entity, rounds.get(`${organization} ${entity}`) ?? 0, ...rest);
}

/** Reference data about an entity is asked for again when it is next needed. */
export function forgetReference(organization: string, entity: string): void {
  const place = `${organization} ${entity}`;
  rounds.set(place, (rounds.get(place) ?? 0) + 1);
}

/** Everything kept about one entity is asked for again when it is next needed; what is on the screen, now. */
export function forgetEntity(organization: string, entity: string): void {
  forgetReference(organization, entity);
  askAgain({ queryKey: keyOf(organization, entity) });
}

/** The same for single items: what is kept of them and of what belongs to them (keys that end in their id). */
export function forgetItems(organization: string, entity: string, ids: readonly string[]): void {
  askAgain({
    queryKey: keyOf(organization, entity),
    predicate: ({ queryKey }) => ids.includes(String(queryKey.at(-1))),
  });
}

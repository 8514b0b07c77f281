import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { announceChange, announceOwnChange, onChange } from './changes.ts';
import { keyOf, queryClient, referenceKey } from './query-client.ts';

const item = keyOf('northwind', 'device', 'item', 'AAAA BBBB');
const otherItem = keyOf('northwind', 'device', 'item', 'CCCC DDDD');
const count = keyOf('northwind', 'device', 'count', 'health:ERROR');

const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated;

beforeEach(() => {
  vi.useFakeTimers();
  for (const key of [item, otherItem, count]) queryClient.setQueryData(key, 1);
});

afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

test('refreshes the items that an event names immediately, and counts later', () => {
  const listener = vi.fn<Parameters<typeof onChange>[0]>();
  const stop = onChange(listener);
  announceChange('northwind', ['device'], ['AAAA BBBB']);
  stop();
  expect(listener).toHaveBeenCalledWith({ entity: 'device', ids: ['AAAA BBBB'] });
  expect([item, otherItem, count].map(isStale)).toEqual([true, false, false]);
  vi.advanceTimersByTime(10_000);
  expect(isStale(count)).toBe(true);
});

test('refreshes all data of an entity that a command changed', () => {
  announceChange('northwind', ['device']);
  expect([item, otherItem, count].map(isStale)).toEqual([true, true, true]);
});

/** Creates a visible query that is loading. `settle` resolves its calls, in order. */
function showQuery(queryKey: readonly unknown[]) {
  const resolvers: ((value: number) => void)[] = [];
  const queryFn = () => new Promise<number>((resolve) => void resolvers.push(resolve));
  const hide = new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined);
  const settle = async (value: number): Promise<void> => {
    resolvers.shift()?.(value);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { settle, hide };
}

test.each([
  ['during the first fetch', undefined],
  ['during a later fetch', 212],
])('refetches once after changes %s', async (_, cached) => {
  const key = keyOf('northwind', 'device', 'count', 'health:WARNING');
  if (cached !== undefined) queryClient.setQueryData(key, cached);
  const { settle, hide } = showQuery(key);
  announceChange('northwind', ['device']);
  announceChange('northwind', ['device']);
  if (cached !== undefined) announceChange('northwind', ['device']);
  await settle(211);
  expect(queryClient.getQueryData(key)).toBe(211);
  await settle(146);
  expect(queryClient.getQueryData(key)).toBe(146);
  expect(queryClient.isFetching()).toBe(0);
  hide();
});

test('marks a query stale if its data changed during a fetch, even if it is no longer shown', async () => {
  const key = keyOf('northwind', 'device', 'count', 'health:WARNING');
  const { settle, hide } = showQuery(key);
  hide();
  announceChange('northwind', ['device']);
  await settle(212);
  expect(isStale(key)).toBe(true);
});

test('discards reference data requested before our own change', async () => {
  const key = () => referenceKey('northwind', 'tag:list:{}');
  let settle: (tags: string) => void = () => undefined;
  const before = queryClient.fetchQuery({
    queryKey: key(),
    queryFn: () => new Promise<string>((resolve) => (settle = resolve)),
  });
  announceOwnChange('northwind', ['tag']);
  settle('stale');
  expect(await before).toBe('stale');
  expect(queryClient.getQueryData(key())).toBeUndefined();
  expect(referenceKey('northwind', 'role:list')).toEqual(referenceKey('northwind', 'role:list'));
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { changed, changedByUs, onChange } from './changes.ts';
import { keyOf, queryClient, referenceKey } from './query-client.ts';

const item = keyOf('northwind', 'device', 'item', 'AAAA BBBB');
const other = keyOf('northwind', 'device', 'item', 'CCCC DDDD');
const count = keyOf('northwind', 'device', 'count', 'health:ERROR');

const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated;

beforeEach(() => {
  vi.useFakeTimers();
  for (const key of [item, other, count]) queryClient.setQueryData(key, 1);
});

afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

it('asks again for the items that an event names, and for counts only now and then', () => {
  const heard = vi.fn<Parameters<typeof onChange>[0]>();
  const stop = onChange(heard);
  changed('northwind', ['device'], ['AAAA BBBB']);
  stop();
  expect(heard).toHaveBeenCalledWith({ entity: 'device', ids: ['AAAA BBBB'] });
  expect([item, other, count].map(isStale)).toEqual([true, false, false]);
  vi.advanceTimersByTime(10_000);
  expect(isStale(count)).toBe(true);
});

it('asks again for everything of an entity that a command changed', () => {
  changed('northwind', ['device']);
  expect([item, other, count].map(isStale)).toEqual([true, true, true]);
});

it('keeps no reference data that was asked for before a command of ours had changed it', async () => {
  const key = () => referenceKey('northwind', 'tag:list:{}');
  let answer: (tags: string) => void = () => undefined;
  const before = queryClient.fetchQuery({
    queryKey: key(),
    queryFn: () => new Promise<string>((resolve) => (answer = resolve)),
  });
  changedByUs('northwind', ['tag']);
  answer('as they were');
  expect(await before).toBe('as they were');
  expect(queryClient.getQueryData(key())).toBeUndefined();
  expect(referenceKey('northwind', 'role:list')).toEqual(referenceKey('northwind', 'role:list'));
});

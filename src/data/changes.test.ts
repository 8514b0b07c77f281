import { QueryObserver } from '@tanstack/react-query';
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

/** Something on the screen that is being asked for. @returns what answers the calls, in turn. */
function showing(queryKey: readonly unknown[]) {
  const answers: ((value: number) => void)[] = [];
  const queryFn = () => new Promise<number>((resolve) => void answers.push(resolve));
  const leave = new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined);
  const answer = async (value: number): Promise<void> => {
    answers.shift()?.(value);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { answer, leave };
}

it.each([
  ['the first time', undefined],
  ['again', 212],
])('asks once more for what changed while it was being asked for, %s', async (_, known) => {
  const key = keyOf('northwind', 'device', 'count', 'health:WARNING');
  if (known !== undefined) queryClient.setQueryData(key, known);
  const { answer, leave } = showing(key);
  changed('northwind', ['device']);
  changed('northwind', ['device']);
  if (known !== undefined) changed('northwind', ['device']);
  await answer(211);
  expect(queryClient.getQueryData(key)).toBe(211);
  await answer(146);
  expect(queryClient.getQueryData(key)).toBe(146);
  expect(queryClient.isFetching()).toBe(0);
  leave();
});

it('does not count as fresh what changed while it was being asked for, though nobody looks at it any more', async () => {
  const key = keyOf('northwind', 'device', 'count', 'health:WARNING');
  const { answer, leave } = showing(key);
  leave();
  changed('northwind', ['device']);
  await answer(212);
  expect(isStale(key)).toBe(true);
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

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { afterArrival, arrive, arriveWithRows, isOnTheWay, leave, withRows } from './arrival.ts';

let did: string[];
const act = (name: string) => (): void => void did.push(name);

beforeEach(() => {
  vi.useFakeTimers();
  did = [];
});
afterEach(() => {
  arriveWithRows();
  vi.runAllTimers();
  vi.useRealTimers();
});

it('does what acts on rows at once where they are shown', () => {
  withRows(act('select'));
  expect(did).toEqual(['select']);
});

it('keeps what acts on rows, and all that comes after it, until the rows are shown; the rest only until the screen is', () => {
  leave();
  afterArrival(act('filter'));
  afterArrival(() => withRows(act('select')));
  afterArrival(act('assign'));
  expect(did).toEqual([]);
  arrive();
  vi.advanceTimersByTime(100);
  expect(did).toEqual(['filter']);
  expect(isOnTheWay()).toBe(true);
  afterArrival(act('close'));
  arriveWithRows();
  vi.advanceTimersByTime(100);
  expect(did).toEqual(['filter', 'select', 'assign', 'close']);
  expect(isOnTheWay()).toBe(false);
});

it('waits for no screen longer than two seconds, and for no rows longer than five', () => {
  leave();
  afterArrival(act('open'));
  vi.advanceTimersByTime(2100);
  expect(did).toEqual(['open']);
  withRows(act('select'));
  afterArrival(act('assign'));
  vi.advanceTimersByTime(4900);
  expect(did).toEqual(['open']);
  vi.advanceTimersByTime(200);
  expect(did).toEqual(['open', 'select', 'assign']);
});

it('goes on with what waits when one of it fails', () => {
  leave();
  afterArrival(() => {
    throw new Error('no such row');
  });
  afterArrival(act('next'));
  arriveWithRows();
  expect(() => vi.runAllTimers()).toThrow('no such row');
  vi.runAllTimers();
  expect(did).toEqual(['next']);
});

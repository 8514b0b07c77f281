import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import {
  runOrEnqueue,
  onScreenShown,
  onRowsShown,
  expectRows,
  isDestinationPending,
  expectScreen,
  runWithRows,
} from './key-queue.ts';

let log: string[];
const act = (name: string) => (): void => void log.push(name);

beforeEach(() => {
  vi.useFakeTimers();
  log = [];
});
afterEach(() => {
  onRowsShown();
  vi.runAllTimers();
  vi.useRealTimers();
});

it('runs an action on rows at once if the rows are shown', () => {
  runWithRows(act('select'), act('report late'));
  expect(log).toEqual(['select']);
});

it('queues all actions until the screen is shown, and those after the first row action until the rows are shown', () => {
  expectScreen();
  runOrEnqueue(act('filter'));
  runOrEnqueue(() => runWithRows(act('select'), act('report late')));
  runOrEnqueue(act('assign'));
  expect(log).toEqual([]);
  onScreenShown();
  vi.advanceTimersByTime(100);
  expect(log).toEqual(['filter']);
  expect(isDestinationPending()).toBe(true);
  runOrEnqueue(act('close'));
  onRowsShown();
  vi.advanceTimersByTime(100);
  expect(log).toEqual(['filter', 'select', 'assign', 'close']);
  expect(isDestinationPending()).toBe(false);
});

it('waits at most two seconds for a screen and five for rows', () => {
  expectScreen();
  runOrEnqueue(act('open'));
  vi.advanceTimersByTime(2100);
  expect(log).toEqual(['open']);
  runWithRows(act('select'), act('report late'));
  runOrEnqueue(act('assign'));
  vi.advanceTimersByTime(4900);
  expect(log).toEqual(['open']);
  vi.advanceTimersByTime(200);
  expect(log).toEqual(['open', 'select', 'assign']);
});

it('never acts on stale rows and reports the delay after five seconds', () => {
  expectScreen();
  expectRows();
  onScreenShown();
  for (const round of [1, 2]) {
    runWithRows(act('select'), act(`report late ${round}`));
    runOrEnqueue(act('assign'));
    vi.advanceTimersByTime(5100);
    expect(isDestinationPending()).toBe(false);
  }
  expect(log).toEqual(['report late 1', 'report late 2']);
  onRowsShown();
  vi.advanceTimersByTime(100);
  expect(log).toEqual(['report late 1', 'report late 2']);
  runWithRows(act('select'), act('report late'));
  expect(log.at(-1)).toBe('select');
});

it('continues with the queue after an error', () => {
  expectScreen();
  runOrEnqueue(() => {
    throw new Error('no such row');
  });
  runOrEnqueue(act('next'));
  onRowsShown();
  expect(() => vi.runAllTimers()).toThrow('no such row');
  vi.runAllTimers();
  expect(log).toEqual(['next']);
});

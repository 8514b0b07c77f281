import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import {
  cancelLayer,
  cancelScreenWait,
  expectLayer,
  expectScreen,
  holdKeysForCommand,
  onKeysSlow,
  onRowsShown,
  runOrEnqueue,
  waitForView,
} from './key-queue.ts';

let isSlow = false;

beforeEach(() => {
  vi.useFakeTimers();
  onKeysSlow((slow) => {
    isSlow = slow;
  });
});
afterEach(() => {
  cancelLayer();
  cancelScreenWait();
  onRowsShown();
  vi.useRealTimers();
});

test('keys that wait for a view are reported after a second, and until they are canceled', () => {
  expectScreen();
  void waitForView(new Promise(() => undefined));
  runOrEnqueue(() => undefined);
  vi.advanceTimersByTime(900);
  expect(isSlow).toBe(false);
  vi.advanceTimersByTime(200);
  expect(isSlow).toBe(true);
  cancelScreenWait();
  expect(isSlow).toBe(false);
});

test('a view that loads slowly is not reported until a key waits for it', () => {
  expectScreen();
  void waitForView(new Promise(() => undefined));
  vi.advanceTimersByTime(1500);
  expect(isSlow).toBe(false);
  runOrEnqueue(() => undefined);
  expect(isSlow).toBe(true);
});

test('a command that loads slowly is reported without another key', () => {
  const keys = holdKeysForCommand();
  vi.advanceTimersByTime(1100);
  expect(isSlow).toBe(true);
  keys.release();
  expect(isSlow).toBe(false);
});

test('so is a layer that opens slowly, even if another wait ended before', () => {
  const keys = holdKeysForCommand();
  vi.advanceTimersByTime(600);
  expectLayer();
  keys.release();
  vi.advanceTimersByTime(500);
  expect(isSlow).toBe(true);
  cancelLayer();
  expect(isSlow).toBe(false);
});

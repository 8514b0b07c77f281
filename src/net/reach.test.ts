import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { outageAtom } from '#src/state/connection.ts';
import { store } from '#src/state/store.ts';

import { reportUnreachable, onReconnect, reportReachable, setPing, watchCall } from './reach.ts';

let isServerUp: boolean;
const onReturn = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  isServerUp = false;
  onReturn.mockClear();
  setPing(async () => {
    if (!isServerUp) throw new Error('refused');
  });
});
afterEach(() => {
  reportReachable();
  vi.useRealTimers();
});

test('detects within five seconds that the server is back, even after an hour', async () => {
  const unsubscribe = onReconnect(onReturn);
  reportUnreachable();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(store.get(outageAtom)).toBeDefined();
  isServerUp = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(store.get(outageAtom)).toBeUndefined();
  expect(onReturn).toHaveBeenCalledOnce();
  unsubscribe();
});

test('exposes the time of the next attempt and whether one is running', async () => {
  let fail = (_error: Error): void => undefined;
  setPing(() => new Promise((_, reject) => (fail = reject)));
  reportUnreachable();
  const { nextAttempt = 0 } = store.get(outageAtom) ?? {};
  expect(nextAttempt).toBeGreaterThan(Date.now());
  await vi.advanceTimersByTimeAsync(nextAttempt - Date.now());
  expect(store.get(outageAtom)).toEqual({ nextAttempt: undefined });
  fail(new Error('refused'));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.get(outageAtom)?.nextAttempt).toBeGreaterThan(Date.now());
});

test('notifies listeners of any successful call after an outage', () => {
  const unsubscribe = onReconnect(onReturn);
  reportReachable();
  expect(onReturn).not.toHaveBeenCalled();
  reportUnreachable();
  reportReachable();
  expect(store.get(outageAtom)).toBeUndefined();
  expect(onReturn).toHaveBeenCalledOnce();
  unsubscribe();
});

test('reports an outage if a call stays unanswered and a ping fails', async () => {
  const ping = vi.fn<() => Promise<unknown>>().mockResolvedValue(undefined);
  setPing(ping);
  const stopWatching = watchCall();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ping).toHaveBeenCalled();
  expect(store.get(outageAtom), 'the server is only slow').toBeUndefined();
  ping.mockImplementation(async () => {
    reportReachable();
    throw new Error('no response in time');
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(store.get(outageAtom), 'the server responds to other calls').toBeUndefined();
  ping.mockRejectedValue(new Error('no response in time'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(store.get(outageAtom)).toBeDefined();
  stopWatching();
  reportReachable();
  ping.mockClear();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ping, 'the call has ended').not.toHaveBeenCalled();
});

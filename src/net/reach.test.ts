import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { awayAtom } from '#src/state/connection.ts';
import { store } from '#src/state/store.ts';
import { lost, onReturn, reached, tryBy, watchCall } from './reach.ts';

let up: boolean;
const returned = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  up = false;
  returned.mockClear();
  tryBy(async () => {
    if (!up) throw new Error('refused');
  });
});
afterEach(() => {
  reached();
  vi.useRealTimers();
});

it('notices a server that returns within five seconds, however long it was away', async () => {
  const stop = onReturn(returned);
  lost();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(store.get(awayAtom)).toBeDefined();
  up = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(store.get(awayAtom)).toBeUndefined();
  expect(returned).toHaveBeenCalledOnce();
  stop();
});

it('says when the next try is, and that it is being made', async () => {
  let fail = (_error: Error): void => undefined;
  tryBy(() => new Promise((_, reject) => (fail = reject)));
  lost();
  const { nextTry = 0 } = store.get(awayAtom) ?? {};
  expect(nextTry).toBeGreaterThan(Date.now());
  await vi.advanceTimersByTimeAsync(nextTry - Date.now());
  expect(store.get(awayAtom)).toEqual({ nextTry: undefined });
  fail(new Error('refused'));
  await vi.advanceTimersByTimeAsync(0);
  expect(store.get(awayAtom)?.nextTry).toBeGreaterThan(Date.now());
});

it('takes any call that gets through for the return, and says nothing of a server that was never away', () => {
  const stop = onReturn(returned);
  reached();
  expect(returned).not.toHaveBeenCalled();
  lost();
  reached();
  expect(store.get(awayAtom)).toBeUndefined();
  expect(returned).toHaveBeenCalledOnce();
  stop();
});

it('takes a server that leaves a call and a question of ours without an answer for one that is away', async () => {
  const asked = vi.fn<() => Promise<unknown>>().mockResolvedValue(undefined);
  tryBy(asked);
  const ended = watchCall();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toHaveBeenCalled();
  expect(store.get(awayAtom), 'it is only slow').toBeUndefined();
  asked.mockRejectedValue(new Error('no answer in time'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(store.get(awayAtom)).toBeDefined();
  ended();
  reached();
  asked.mockClear();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked, 'the call has ended').not.toHaveBeenCalled();
});

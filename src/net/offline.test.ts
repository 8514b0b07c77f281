import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { followOffline } from './offline.ts';

const mark = vi.fn<(offline: boolean) => void>();
let stop: () => void;

const goes = (to: 'offline' | 'online'): boolean => window.dispatchEvent(new Event(to));

beforeEach(() => {
  vi.useFakeTimers();
  mark.mockReset();
  stop = followOffline(mark);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

it('marks the app offline after 600 seconds without a network, not before', () => {
  goes('offline');
  vi.advanceTimersByTime(599_999);
  expect(mark).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(mark).toHaveBeenCalledExactlyOnceWith(true);
});

it('counts from the beginning of what lasts', () => {
  goes('offline');
  vi.advanceTimersByTime(500_000);
  goes('offline');
  vi.advanceTimersByTime(100_000);
  expect(mark).toHaveBeenLastCalledWith(true);
});

it('begins anew after a moment with a network', () => {
  goes('offline');
  vi.advanceTimersByTime(500_000);
  goes('online');
  goes('offline');
  vi.advanceTimersByTime(599_999);
  expect(mark).not.toHaveBeenCalledWith(true);
});

it('takes the mark away as soon as the network is back', () => {
  goes('offline');
  vi.advanceTimersByTime(600_000);
  goes('online');
  expect(mark).toHaveBeenLastCalledWith(false);
});

it('counts from the start where there is no network then', () => {
  stop();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  stop = followOffline(mark);
  vi.advanceTimersByTime(600_000);
  expect(mark).toHaveBeenCalledExactlyOnceWith(true);
});

it('says nothing more once nobody follows it', () => {
  goes('offline');
  stop();
  vi.advanceTimersByTime(600_000);
  goes('online');
  expect(mark).not.toHaveBeenCalled();
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { trackOffline } from './offline.ts';

const setOffline = vi.fn<(isOffline: boolean) => void>();
let stop: () => void;

const simulate = (state: 'offline' | 'online'): boolean => window.dispatchEvent(new Event(state));

beforeEach(() => {
  vi.useFakeTimers();
  setOffline.mockReset();
  stop = trackOffline(setOffline);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('marks the app offline after exactly 600 seconds without a network', () => {
  simulate('offline');
  vi.advanceTimersByTime(599_999);
  expect(setOffline).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(setOffline).toHaveBeenCalledExactlyOnceWith(true);
});

test('counts from the first offline event', () => {
  simulate('offline');
  vi.advanceTimersByTime(500_000);
  simulate('offline');
  vi.advanceTimersByTime(100_000);
  expect(setOffline).toHaveBeenLastCalledWith(true);
});

test('restarts the count if the network was briefly back', () => {
  simulate('offline');
  vi.advanceTimersByTime(500_000);
  simulate('online');
  simulate('offline');
  vi.advanceTimersByTime(599_999);
  expect(setOffline).not.toHaveBeenCalledWith(true);
});

test('marks the app online as soon as the network is back', () => {
  simulate('offline');
  vi.advanceTimersByTime(600_000);
  simulate('online');
  expect(setOffline).toHaveBeenLastCalledWith(false);
});

test('counts from the start if the page starts offline', () => {
  stop();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  stop = trackOffline(setOffline);
  vi.advanceTimersByTime(600_000);
  expect(setOffline).toHaveBeenCalledExactlyOnceWith(true);
});

test('reports nothing after tracking stops', () => {
  simulate('offline');
  stop();
  vi.advanceTimersByTime(600_000);
  simulate('online');
  expect(setOffline).not.toHaveBeenCalled();
});

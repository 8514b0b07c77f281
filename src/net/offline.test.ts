import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { followOffline } from './offline.ts';

const setOffline = vi.fn<(offline: boolean) => void>();
let stop: () => void;

const goTo = (state: 'offline' | 'online'): boolean => window.dispatchEvent(new Event(state));

beforeEach(() => {
  vi.useFakeTimers();
  setOffline.mockReset();
  stop = followOffline(setOffline);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

it('marks the app offline after 600 seconds without a network, not before', () => {
  goTo('offline');
  vi.advanceTimersByTime(599_999);
  expect(setOffline).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(setOffline).toHaveBeenCalledExactlyOnceWith(true);
});

it('counts from the first offline event', () => {
  goTo('offline');
  vi.advanceTimersByTime(500_000);
  goTo('offline');
  vi.advanceTimersByTime(100_000);
  expect(setOffline).toHaveBeenLastCalledWith(true);
});

it('restarts the count after the network was briefly back', () => {
  goTo('offline');
  vi.advanceTimersByTime(500_000);
  goTo('online');
  goTo('offline');
  vi.advanceTimersByTime(599_999);
  expect(setOffline).not.toHaveBeenCalledWith(true);
});

it('marks the app online as soon as the network is back', () => {
  goTo('offline');
  vi.advanceTimersByTime(600_000);
  goTo('online');
  expect(setOffline).toHaveBeenLastCalledWith(false);
});

it('counts from the start if the page starts offline', () => {
  stop();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  stop = followOffline(setOffline);
  vi.advanceTimersByTime(600_000);
  expect(setOffline).toHaveBeenCalledExactlyOnceWith(true);
});

it('reports nothing after it is stopped', () => {
  goTo('offline');
  stop();
  vi.advanceTimersByTime(600_000);
  goTo('online');
  expect(setOffline).not.toHaveBeenCalled();
});

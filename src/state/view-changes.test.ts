import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  cancelScreenWait,
  expectScreen,
  holdKeys,
  isDestinationPending,
  isLayerPending,
  isQueued,
  isScreenSlow,
  onKeysLate,
  onRowsShown,
  onScreenShown,
  runOrEnqueue,
  runWithRows,
  waitForView,
} from './key-queue.ts';

let log: string[];
const act = (name: string) => (): void => void log.push(name);

beforeEach(() => {
  vi.useFakeTimers();
  log = [];
  onKeysLate(act('report late'));
});
afterEach(() => {
  cancelScreenWait();
  onRowsShown();
  vi.runAllTimers();
  vi.useRealTimers();
});

describe('a change of the view', () => {
  /** Starts a change, such as a navigation. Returns functions that end it. */
  const startChange = () => {
    let resolve = (): void => undefined;
    let reject = (error: Error): void => void error;
    const change = waitForView(new Promise<void>((...settlers) => ([resolve, reject] = settlers))).catch(act('failed'));
    const end = async (finish: () => void): Promise<void> => {
      finish();
      await change;
      vi.advanceTimersByTime(100);
    };
    return { apply: () => end(resolve), fail: () => end(() => reject(new Error('offline'))) };
  };

  test('holds the keys for the screen, in order, until it has been applied and rendered', async () => {
    expectScreen();
    const { apply } = startChange();
    for (const name of ['select all', 'assign']) runOrEnqueue(act(name));
    vi.advanceTimersByTime(8000);
    expect([log, isDestinationPending(), isLayerPending()]).toEqual([[], true, false]);
    await apply();
    expect(log).toEqual([]);
    onScreenShown();
    vi.advanceTimersByTime(100);
    expect([log, isDestinationPending()]).toEqual([['select all', 'assign'], false]);
  });

  test('holds no keys once all of several changes have been applied', async () => {
    const changes = [startChange(), startChange()];
    runOrEnqueue(act('select all'));
    await changes[0]?.apply();
    expect(log).toEqual([]);
    await changes[1]?.apply();
    expect(log).toEqual(['select all']);
    runOrEnqueue(act('assign'));
    expect(log).toEqual(['select all', 'assign']);
    // The limit of the wait has ended with it.
    const layer = holdKeys();
    runOrEnqueue(act('type'));
    vi.advanceTimersByTime(20_000);
    layer.release();
    vi.advanceTimersByTime(100);
    expect(log).toEqual(['select all', 'assign', 'type']);
  });

  test('drops the held keys if it fails', async () => {
    const { fail } = startChange();
    runOrEnqueue(act('select all'));
    await fail();
    expect([log, isDestinationPending()]).toEqual([['failed'], false]);
  });

  test('drops the held keys after ten seconds and says so, but lets later keys act', () => {
    expectScreen();
    startChange();
    runOrEnqueue(act('select all'));
    vi.advanceTimersByTime(10_100);
    expect(log).toEqual(['report late']);
    vi.advanceTimersByTime(2000);
    runOrEnqueue(act('open'));
    expect(log).toEqual(['report late', 'open']);
  });

  test('never lets a key act on the rows of the previous view, and says so', () => {
    expectScreen();
    startChange();
    vi.advanceTimersByTime(12_100);
    expect(log).toEqual([]);
    runWithRows(act('select'));
    vi.advanceTimersByTime(10_100);
    expect(log).toEqual(['report late']);
  });

  test('can be canceled once keys have waited for a second', async () => {
    expectScreen();
    const { apply } = startChange();
    runOrEnqueue(act('select all'));
    vi.advanceTimersByTime(900);
    expect(isScreenSlow()).toBe(false);
    vi.advanceTimersByTime(200);
    expect(isScreenSlow()).toBe(true);
    cancelScreenWait();
    expect([isScreenSlow(), isDestinationPending(), isQueued()]).toEqual([false, false, false]);
    await apply();
    expect(log).toEqual([]);
  });
});

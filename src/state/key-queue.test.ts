import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  cancelLayer,
  discardTyping,
  dropHeldKeys,
  expectLayer,
  expectRows,
  expectScreen,
  holdKeys,
  isDestinationPending,
  isDiscarded,
  isLayerPending,
  isQueued,
  onKeysLate,
  onLayerShown,
  onRowsShown,
  onScreenShown,
  runOrEnqueue,
  runWithLayer,
  runWithRows,
  stopDiscarding,
} from './key-queue.ts';

let log: string[];
const act = (name: string) => (): void => void log.push(name);

beforeEach(() => {
  vi.useFakeTimers();
  log = [];
  onKeysLate(act('report late'));
});
afterEach(() => {
  dropHeldKeys();
  stopDiscarding();
  onRowsShown();
  vi.runAllTimers();
  vi.useRealTimers();
});

test('waits at most two seconds for a screen, and five for its list to begin to load', () => {
  expect([isDestinationPending(), isQueued(), isDiscarded('Enter')]).toEqual([false, false, false]);
  runWithRows(act('focus'));
  expect(log.splice(0)).toEqual(['focus']);
  expectScreen();
  runOrEnqueue(act('open'));
  vi.advanceTimersByTime(2100);
  expect(log).toEqual(['open']);
  runWithRows(act('select'));
  runOrEnqueue(act('assign'));
  vi.advanceTimersByTime(4900);
  expect(log).toEqual(['open']);
  vi.advanceTimersByTime(200);
  expect(log).toEqual(['open', 'select', 'assign']);
});

test('runs an action on rows immediately if the rows are shown', () => {
  runWithRows(act('select'));
  expect(log).toEqual(['select']);
});

test('queues actions until the screen, and after a row action the rows, are shown', () => {
  expectScreen();
  runOrEnqueue(act('filter'));
  runOrEnqueue(() => runWithRows(act('select')));
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

test('never acts on stale rows and reports the delay after ten seconds', () => {
  expectScreen();
  expectRows();
  onScreenShown();
  for (let round = 0; round < 2; round++) {
    runWithRows(act('select'));
    runOrEnqueue(act('assign'));
    vi.advanceTimersByTime(9900);
    expect(isDestinationPending()).toBe(true);
    vi.advanceTimersByTime(200);
    expect(isDestinationPending()).toBe(false);
  }
  expect(log).toEqual(['report late', 'report late']);
  onRowsShown();
  vi.advanceTimersByTime(100);
  expect(log).toEqual(['report late', 'report late']);
  runWithRows(act('select'));
  expect(log.at(-1)).toBe('select');
});

test('continues with the queue after an error', () => {
  expectScreen();
  runOrEnqueue(() => {
    throw new Error('no such row');
  });
  runOrEnqueue(act('next'));
  onRowsShown();
  expect(() => vi.runAllTimers()).toThrow('no such row');
  expect(isQueued()).toBe(true);
  vi.runAllTimers();
  expect(log).toEqual(['next']);
});

test('runs keys immediately while nothing is loading', () => {
  onScreenShown();
  expect(isQueued()).toBe(false);
  runOrEnqueue(act('open'));
  expect(log).toEqual(['open']);
});

test('waits two seconds from the latest screen that was opened', () => {
  expectScreen();
  vi.advanceTimersByTime(1500);
  expectScreen();
  runOrEnqueue(act('open'));
  expect(isQueued()).toBe(true);
  vi.advanceTimersByTime(1500);
  expect([log, isDestinationPending()]).toEqual([[], true]);
  vi.advanceTimersByTime(600);
  expect([log, isDestinationPending()]).toEqual([['open'], false]);
});

test('queues a key that is pressed between two queued keys behind them', () => {
  expectScreen();
  for (const name of ['first', 'second']) runOrEnqueue(act(name));
  onScreenShown();
  vi.advanceTimersToNextTimer();
  expect([log, isQueued()]).toEqual([['first'], true]);
  runOrEnqueue(act('third'));
  expect(log).toEqual(['first']);
  vi.advanceTimersToNextTimer();
  vi.advanceTimersToNextTimer();
  expect([log, isQueued(), isDestinationPending()]).toEqual([['first', 'second', 'third'], true, true]);
  vi.advanceTimersToNextTimer();
  expect([isQueued(), isDestinationPending()]).toEqual([false, false]);
});

test('runs a key only after the effect of the previous key', () => {
  expectScreen();
  runOrEnqueue(() => void setTimeout(act('effect of first')));
  runOrEnqueue(act('second'));
  onScreenShown();
  onScreenShown();
  vi.runAllTimers();
  expect(log).toEqual(['effect of first', 'second']);
});

test('runs the next key in the same turn if the previous key allows it', () => {
  expectScreen();
  runOrEnqueue(() => {
    log.push('h');
    return true;
  });
  for (const letter of ['i', '!']) runOrEnqueue(act(letter));
  onScreenShown();
  vi.advanceTimersToNextTimer();
  expect(log).toEqual(['h', 'i']);
});

test('holds the keys behind a key that opens a screen or a layer', () => {
  expectScreen();
  runOrEnqueue(() => expectScreen());
  runOrEnqueue(() => expectLayer());
  runOrEnqueue(act('type'));
  onScreenShown();
  vi.advanceTimersByTime(1000);
  expect([isDestinationPending(), isLayerPending()]).toEqual([true, false]);
  onScreenShown();
  vi.advanceTimersByTime(1000);
  expect([isDestinationPending(), isLayerPending(), log]).toEqual([true, true, []]);
  onLayerShown();
  vi.runAllTimers();
  expect(log).toEqual(['type']);
});

test('waits for the rows of a list that is reloading', () => {
  expectRows();
  runWithRows(act('select'));
  expect(log).toEqual([]);
  onRowsShown();
  vi.advanceTimersByTime(100);
  expect(log).toEqual(['select']);
  // The wait for the earlier rows is over.
  expectRows();
  vi.advanceTimersByTime(6000);
  expect(log).toEqual(['select']);
});

test('reports a delay once for several actions on the same rows', () => {
  expectRows();
  runWithRows(act('select'));
  vi.advanceTimersByTime(3000);
  runWithRows(act('select more'));
  vi.advanceTimersByTime(10_000);
  expect(log).toEqual(['report late']);
});

test('runs an action on rows after five seconds if a screen turns out to have no list', () => {
  expectRows();
  onRowsShown();
  expectScreen();
  onScreenShown();
  runWithRows(act('select'));
  vi.advanceTimersByTime(5100);
  expect(log).toEqual(['select']);
});

test('delivers text typed for a layer once the layer is on the page', () => {
  runWithLayer(act('first letter'));
  runOrEnqueue(act('second letter'));
  expect([isLayerPending(), isDestinationPending(), isQueued()]).toEqual([true, true, true]);
  vi.advanceTimersByTime(9000);
  expect(log).toEqual([]);
  onLayerShown();
  vi.runAllTimers();
  expect([log, isLayerPending(), isQueued()]).toEqual([['first letter', 'second letter'], false, false]);
});

test('queues keys from opening a layer until it is on the page', () => {
  expectLayer();
  expect([isLayerPending(), isQueued()]).toEqual([true, true]);
  onLayerShown();
  expect([isLayerPending(), isQueued()]).toEqual([false, false]);
});

test.each([
  ['fails', cancelLayer],
  ['is canceled', dropHeldKeys],
])('drops text typed for a layer that %s', (_case, end) => {
  expectLayer();
  runOrEnqueue(act('letter'));
  end();
  expect([isLayerPending(), isQueued()]).toEqual([false, false]);
  vi.runAllTimers();
  expect(log).toEqual([]);
});

test('keeps keys that are waiting for a screen if no layer is expected', () => {
  expectScreen();
  runOrEnqueue(act('open'));
  cancelLayer();
  onScreenShown();
  vi.runAllTimers();
  expect(log).toEqual(['open']);
});

test('holds keys without a time limit until their destination is known', () => {
  const hold = holdKeys();
  runOrEnqueue(act('next'));
  vi.advanceTimersByTime(60_000);
  expect([log, hold.isHeld(), isLayerPending()]).toEqual([[], true, true]);
  hold.release();
  vi.runAllTimers();
  expect([log, hold.isHeld(), isLayerPending()]).toEqual([['next'], false, false]);
});

test.each([
  ['the earlier key leads nowhere', (hold: ReturnType<typeof holdKeys>) => hold.drop()],
  ['the user cancels', () => dropHeldKeys()],
])('drops held keys if %s', (_case, end) => {
  const hold = holdKeys();
  runOrEnqueue(act('next'));
  end(hold);
  expect([hold.isHeld(), isQueued()]).toEqual([false, false]);
  vi.runAllTimers();
  expect(log).toEqual([]);
});

test('ignores a hold that has already ended', () => {
  const endOfHold = holdKeys();
  endOfHold.release();
  const hold = holdKeys();
  runOrEnqueue(act('next'));
  endOfHold.drop();
  endOfHold.release();
  vi.advanceTimersByTime(1000);
  expect(log).toEqual([]);
  hold.release();
  vi.runAllTimers();
  expect(log).toEqual(['next']);
});

test('releases held keys after their limit', () => {
  const hold = holdKeys({ limitMs: 1000 });
  runOrEnqueue(act('next'));
  vi.advanceTimersByTime(900);
  expect([log, hold.isHeld()]).toEqual([[], true]);
  vi.advanceTimersByTime(200);
  expect([log, hold.isHeld()]).toEqual([['next'], false]);
});

test('discards text typed for a prompt that did not open, until the user pauses', () => {
  expect(isDiscarded('x')).toBe(false);
  discardTyping();
  for (const pause of [900, 900, 900]) {
    vi.advanceTimersByTime(pause);
    expect(isDiscarded('x')).toBe(true);
  }
  vi.advanceTimersByTime(1100);
  expect([isDiscarded('x'), isDiscarded('x')]).toEqual([false, false]);
});

test('stops discarding text when the user moves on, and can discard text again later', () => {
  discardTyping();
  vi.advanceTimersByTime(100);
  stopDiscarding();
  expect(isDiscarded('x')).toBe(false);
  vi.advanceTimersByTime(100);
  discardTyping();
  vi.advanceTimersByTime(400);
  expect(isDiscarded('x')).toBe(true);
});

describe('the Enter that ends discarded text', () => {
  /** Discards text, some of it typed before anyone knew that the prompt wouldn't open. */
  const discardTyped = (): void => {
    const hold = holdKeys();
    runOrEnqueue(act('typed'));
    discardTyping();
    hold.drop();
  };

  test("is discarded too, however long the user waits, but the next one isn't", () => {
    discardTyped();
    vi.advanceTimersByTime(60_000);
    expect([isDiscarded('Enter'), isDiscarded('Enter'), log]).toEqual([true, false, []]);
  });

  test('is discarded during the text and is then no longer expected', () => {
    discardTyping();
    expect([isDiscarded('x'), isDiscarded('Enter')]).toEqual([true, true]);
    vi.advanceTimersByTime(60_000);
    expect(isDiscarded('Enter')).toBe(false);
    discardTyping();
    expect(isDiscarded('x')).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(isDiscarded('Enter')).toBe(true);
  });

  test('takes effect if nothing was typed, if another key came first, or if the user moved on', () => {
    discardTyping();
    vi.advanceTimersByTime(60_000);
    expect(isDiscarded('Enter')).toBe(false);
    discardTyped();
    vi.advanceTimersByTime(60_000);
    expect([isDiscarded('x'), isDiscarded('Enter')]).toEqual([false, false]);
    discardTyped();
    stopDiscarding();
    expect(isDiscarded('Enter')).toBe(false);
  });

  test('is still expected if text was discarded twice', () => {
    discardTyped();
    discardTyping();
    vi.advanceTimersByTime(60_000);
    expect(isDiscarded('Enter')).toBe(true);
  });
});

describe('the limit of the wait for a layer', () => {
  test('drops the text typed for a layer whose code hangs, and says so', () => {
    expectLayer();
    runWithLayer(act('type'));
    vi.advanceTimersByTime(9900);
    expect([log, isLayerPending()]).toEqual([[], true]);
    vi.advanceTimersByTime(200);
    expect([log, isLayerPending()]).toEqual([['report late'], false]);
    runOrEnqueue(act('open'));
    expect(log).toEqual(['report late', 'open']);
  });

  test('ends when the layer appears', () => {
    expectLayer();
    onLayerShown();
    vi.advanceTimersByTime(5000);
    expectLayer();
    vi.advanceTimersByTime(6000);
    expect(isLayerPending()).toBe(true);
    onLayerShown();
    vi.advanceTimersByTime(20_000);
    expect(log).toEqual([]);
  });

  test('reports nothing if nothing was typed', () => {
    expectLayer();
    vi.advanceTimersByTime(10_100);
    expect([log, isLayerPending()]).toEqual([[], false]);
  });
});

import { expect, test, vi } from 'vitest';

import { message } from '#commands/text/message.ts';
import { store } from '#src/state/store.ts';
import { canceledRunAtom, runningCommandsAtom } from '#src/state/work.ts';

import { continueRun, pauseRun } from './runner.ts';
import { confirm, lightLamps, litLamps, setUpLamps } from './testkit/lamp-runs.ts';
import { pause as holdCalls } from './testkit/lamps.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/lamps.ts')).loaders);

setUpLamps();

const runningTask = () => store.get(runningCommandsAtom)[0];

/** Starts to light all three lamps, and pauses after the first. */
async function pauseAfterFirst() {
  const resumeCalls = holdCalls();
  await lightLamps('a', 'b', 'c');
  const running = confirm();
  await vi.waitFor(() => expect(runningTask()).toBeDefined());
  runningTask()!.pause();
  resumeCalls();
  await vi.waitFor(() => expect(runningTask()?.progress).toEqual({ done: 1, total: 3 }));
  return { running };
}

test('a paused run finishes its call, waits, and continues', async () => {
  const { running } = await pauseAfterFirst();
  // A next call would start now.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([litLamps(), runningTask()?.isPaused]).toEqual([['a'], true]);
  await continueRun();
  expect(runningTask()?.isPaused).toBe(false);
  await running;
  expect(litLamps()).toEqual(['a', 'b', 'c']);
});

test('a paused run has no pace', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 3000));
  const paces: unknown[] = [];
  const { track } = await import('./track.ts');
  await track({ title: message('core:x'), writes: true }, async ({ progress }, { ready }) => {
    await ready();
    for (const [done, act] of [
      [1, undefined],
      [2, runningTask()!.pause],
      [3, runningTask()!.resume],
      [4, undefined],
    ] as const) {
      act?.();
      progress({ done, total: 9 });
      paces.push(runningTask()?.pace !== undefined);
    }
  });
  vi.restoreAllMocks();
  // The pace is measured anew after a pause.
  expect(paces).toEqual([false, false, false, true]);
});

test('a paused run can be canceled, and continued later', async () => {
  const { running } = await pauseAfterFirst();
  runningTask()!.cancel();
  await running;
  expect([litLamps(), runningTask()]).toEqual([['a'], undefined]);
  expect(store.get(canceledRunAtom)).toBeDefined();
  await continueRun();
  expect(litLamps()).toEqual(['a', 'b', 'c']);
});

test('pauses a run between calls, and nothing else', async () => {
  const nothingToPause = expect.objectContaining({ userMessage: { key: 'running:history.nothingToPause' } });
  expect(() => pauseRun()).toThrow(nothingToPause);
  const { running } = await pauseAfterFirst();
  await continueRun();
  await running;
  expect(() => pauseRun()).toThrow(nothingToPause);
});

test('pauses from the key', async () => {
  const resumeCalls = holdCalls();
  await lightLamps('a', 'b', 'c');
  const running = confirm();
  await vi.waitFor(() => expect(runningTask()?.canPause).toBe(true));
  pauseRun();
  expect(runningTask()?.isPaused).toBe(true);
  resumeCalls();
  await continueRun();
  await running;
});

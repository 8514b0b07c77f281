import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { EMPTY_HISTORY, type History } from '#commands/run/history.ts';
import type * as Stages from '#commands/run/stages.ts';
import { continueRun, start as startCommand } from '#src/run/runner.ts';
import { resetRuns, storedRuns } from '#src/run/testkit/fake-runs.ts';
import { confirm as confirmPlan, litLamps, newestToast, pendingPlan, setUpLamps } from '#src/run/testkit/lamp-runs.ts';
import { lamps, pause as holdCalls } from '#src/run/testkit/lamps.ts';
import { undo } from '#src/run/undo.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { historyAtom, interruptedRunAtom, runningCommandsAtom } from '#src/state/work.ts';

import { offerInterruptedRuns } from './interrupted.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/run/testkit/lamps.ts')).loaders);
vi.mock('./run-store.ts', async () => (await import('#src/run/testkit/fake-runs.ts')).fakeRunStore);
vi.mock('./claim.ts', async () => (await import('#src/run/testkit/fake-runs.ts')).fakeClaims);
const size = vi.hoisted(() => ({ isLong: true }));
vi.mock('#commands/run/stages.ts', async (original) => ({
  ...(await original<typeof Stages>()),
  isLong: () => size.isLong,
}));

setUpLamps();
beforeEach(async () => {
  // The page of the test before may still look for runs.
  await new Promise((resolve) => setTimeout(resolve, 0));
  store.set(interruptedRunAtom, undefined);
  resetRuns();
  size.isLong = true;
});

const start = vi.fn<(id: string) => void>();
const releaseCalls = () => holdCalls()();
const offers = () => toasts.list().filter(({ title }) => title.startsWith('Interrupted'));
const stored = () => [storedRuns.records.size, storedRuns.calls.size, storedRuns.locks.size];

async function light(...ids: string[]): Promise<void> {
  await startCommand({ id: 'lamp.light', args: { lamps: { ids } } });
  if (pendingPlan()) await confirmPlan();
}

/** Holds the calls after a run's first, until the returned function is called or the test ends. */
function holdAfterFirstCall(): () => void {
  const stop = store.sub(runningCommandsAtom, () => {
    const [task] = store.get(runningCommandsAtom);
    if (task?.progress?.done === 1 && task.canPause) holdCalls();
  });
  // A test that fails before it stops must not hold the calls of the tests after it.
  onTestFinished(stop);
  return stop;
}

/** Leaves an undo in the middle of its second call: `a` is dark again, `b` unknown, `c` lit. Returns the history. */
async function crash(): Promise<History> {
  await light('a', 'b', 'c');
  const stop = holdAfterFirstCall();
  void undo();
  await vi.waitFor(() => expect(storedRuns.calls.size).toBe(2));
  stop();
  storedRuns.locks.clear();
  store.set(runningCommandsAtom, []);
  for (const { id } of toasts.list()) toasts.close(id);
  return store.get(historyAtom);
}

const offer = async (): Promise<void> => {
  offerInterruptedRuns(start);
  await vi.waitFor(() => expect(store.get(interruptedRunAtom)).toBeDefined());
};

/** What a new page knows: the history of its tab after a reload, or nothing if the tab was closed. */
const pages: readonly (readonly [string, (history: History) => History])[] = [
  ['after a reload', (history) => history],
  [
    'after a reload, if its inverse was too large to keep',
    ({ entries }) => ({ entries: entries.map((entry) => ({ ...entry, run: { ...entry.run, inverse: undefined } })) }),
  ],
  ['after the tab was closed', () => EMPTY_HISTORY],
];

test.each(pages)('an interrupted undo says what was done, and continues with the rest, %s', async (_, reload) => {
  const history = await crash();
  store.set(historyAtom, reload(history));
  await offer();
  expect(newestToast()).toMatchObject({
    title: 'Interrupted: Undo: Light',
    detail: '1 done · 1 not tried · 1 without a response',
    action: { label: 'Continue with the remaining 2' },
    duration: Infinity,
  });
  // Someone lights it again, and the rest of the undo leaves it alone.
  lamps.set('a', 'white');
  releaseCalls();
  await continueRun();
  expect([litLamps(), pendingPlan()]).toEqual([['a'], undefined]);
  await vi.waitFor(() => expect([stored(), offers()]).toEqual([[0, 0, 0], []]));
  expect(store.get(historyAtom).entries.map(({ undone }) => undone)).toEqual([true]);
  await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToUndo' } });
});

test('the undo key continues it too', async () => {
  await crash();
  await offer();
  releaseCalls();
  await undo();
  expect(litLamps()).toEqual([]);
  await vi.waitFor(() => expect([stored(), offers()]).toEqual([[0, 0, 0], []]));
});

test('the undo key waits until it is known what was done', async () => {
  await crash();
  lamps.set('a', 'white');
  releaseCalls();
  offerInterruptedRuns(start);
  await undo();
  expect(litLamps()).toEqual(['a']);
});

test('continues the interrupted undo rather than undoing a later change', async () => {
  await crash();
  await offer();
  releaseCalls();
  lamps.set('d', '');
  await light('d');
  await continueRun();
  // Undo skips the later change, so its plan is shown first.
  await confirmPlan();
  expect(litLamps()).toEqual(['d']);
});

test('an undo that is interrupted twice continues with what is left of the second', async () => {
  await crash();
  await offer();
  const [first] = storedRuns.records.keys();
  releaseCalls();
  const stop = holdAfterFirstCall();
  void continueRun();
  await vi.waitFor(() =>
    expect([...storedRuns.calls.values()]).toMatchObject([{ run: expect.not.stringMatching(first!) as string }, {}]),
  );
  stop();
  storedRuns.locks.clear();
  store.set(runningCommandsAtom, []);
  store.set(interruptedRunAtom, undefined);
  await offer();
  expect(offers()).toMatchObject([{ detail: '1 done · 1 without a response' }]);
  releaseCalls();
  await continueRun();
  expect(litLamps()).toEqual([]);
  await vi.waitFor(() => expect(stored()).toEqual([0, 0, 0]));
});

test('leaves the rest to undo if it is dismissed', async () => {
  await crash();
  await offer();
  newestToast()?.onDismiss?.();
  await vi.waitFor(() => expect(stored()).toEqual([0, 0, 0]));
  releaseCalls();
  await undo();
  expect(litLamps()).toEqual([]);
});

test('an undo that ends leaves nothing behind', async () => {
  await light('a', 'b', 'c');
  await undo();
  expect([litLamps(), stored()]).toEqual([[], [0, 0, 0]]);
});

test('a small undo is not stored', async () => {
  size.isLong = false;
  const add = vi.spyOn((await import('./run-store.ts')).runStore, 'add');
  await light('a', 'b', 'c');
  await undo();
  expect([litLamps(), add.mock.calls]).toEqual([[], []]);
});

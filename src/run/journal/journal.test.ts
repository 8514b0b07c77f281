import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { EMPTY_HISTORY } from '#commands/run/history.ts';
import { prepare, type PreparedRun } from '#commands/run/run.ts';
import * as reports from '#src/net/report.ts';
import { registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { continueRun, execute } from '#src/run/runner.ts';
import { resetRuns, storedRuns } from '#src/run/testkit/fake-runs.ts';
import { confirm, litLamps, newestToast, setUpLamps } from '#src/run/testkit/lamp-runs.ts';
import { lamps, pause as holdCalls } from '#src/run/testkit/lamps.ts';
import { undo } from '#src/run/undo.ts';
import { forgetUser } from '#src/session/organization.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import {
  canceledRunAtom,
  historyAtom,
  interruptedRunAtom,
  lastResultsAtom,
  runningCommandsAtom,
} from '#src/state/work.ts';

import { offerInterruptedRuns } from './interrupted.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/run/testkit/lamps.ts')).loaders);
vi.mock('./run-store.ts', async () => (await import('#src/run/testkit/fake-runs.ts')).fakeRunStore);
vi.mock('./claim.ts', async () => (await import('#src/run/testkit/fake-runs.ts')).fakeClaims);

setUpLamps();
beforeEach(async () => {
  vi.restoreAllMocks();
  // The page of the test before may still look for runs.
  await new Promise((resolve) => setTimeout(resolve, 0));
  store.set(interruptedRunAtom, undefined);
  resetRuns();
});

/** Prepares to light the lamps in stages, although they are few. */
async function prepareStaged(...ids: string[]): Promise<PreparedRun> {
  const preparedRun = await prepare(registry().command('lamp.light')!, { lamps: { ids } }, contextNow());
  return { ...preparedRun, plan: { ...preparedRun.plan!, staged: true } };
}

/** Leaves a run in the middle of its second call, as a crash of the page does: `a` is lit, `b` unknown, `c` dark. */
async function crash(): Promise<void> {
  const stop = store.sub(runningCommandsAtom, () => {
    const [task] = store.get(runningCommandsAtom);
    if (task?.progress?.done === 1) holdCalls();
  });
  onTestFinished(stop);
  void execute(await prepareStaged('a', 'b', 'c'));
  await vi.waitFor(() => {
    expect(storedRuns.calls.size).toBe(2);
  });
  stop();
  // A page that ends releases its locks, and forgets its work.
  storedRuns.locks.clear();
  store.set(runningCommandsAtom, []);
  store.set(historyAtom, EMPTY_HISTORY);
}

const start = vi.fn<(id: string) => void>();
const offer = async (): Promise<void> => {
  offerInterruptedRuns(start);
  await vi.waitFor(() => expect(store.get(interruptedRunAtom)).toBeDefined());
};
/** Waits until a page has looked for interrupted runs. */
const lookForRuns = async (): Promise<void> => {
  offerInterruptedRuns(start);
  await new Promise((resolve) => setTimeout(resolve, 20));
};
const releaseCalls = () => holdCalls()();

test('a run that ends leaves nothing behind', async () => {
  await execute(await prepareStaged('a', 'b', 'c'));
  expect([litLamps(), storedRuns.records.size, storedRuns.calls.size, storedRuns.locks.size]).toEqual([
    ['a', 'b', 'c'],
    0,
    0,
    0,
  ]);
});

test('a run that fails as a whole leaves nothing behind', async () => {
  const preparedRun = await prepareStaged('a', 'b');
  const fail = () => Promise.reject(new Error('broken'));
  await execute({ ...preparedRun, command: { ...preparedRun.command, run: fail } });
  expect([storedRuns.records.size, storedRuns.locks.size]).toEqual([0, 0]);
});

test('a small run is not stored', async () => {
  const add = vi.spyOn((await import('./run-store.ts')).runStore, 'add');
  const { plan, ...preparedRun } = await prepareStaged('a', 'b');
  const { staged: _staged, ...smallPlan } = plan!;
  await execute({ ...preparedRun, plan: smallPlan });
  expect([add.mock.calls, litLamps()]).toEqual([[], ['a', 'b']]);
});

test('the change is made even if it cannot be stored', async () => {
  const report = vi.spyOn(reports, 'report').mockReturnValue(undefined);
  storedRuns.isFull = true;
  await execute(await prepareStaged('a', 'b', 'c'));
  expect([litLamps(), report.mock.calls.length, storedRuns.locks.size]).toEqual([['a', 'b', 'c'], 1, 0]);
});

test('a run is forgotten if a call cannot be stored, because its items would count as untried', async () => {
  vi.spyOn(reports, 'report').mockReturnValue(undefined);
  const stop = store.sub(runningCommandsAtom, () => {
    // The run itself is stored by then.
    if (store.get(runningCommandsAtom)[0]?.canPause) storedRuns.isFull = true;
  });
  onTestFinished(stop);
  await execute(await prepareStaged('a', 'b', 'c'));
  stop();
  expect([litLamps(), storedRuns.records.size, storedRuns.locks.size]).toEqual([['a', 'b', 'c'], 0, 0]);
});

test('an interrupted run says what was done, and continues with the rest', async () => {
  await crash();
  await offer();
  expect(newestToast()).toMatchObject({
    title: expect.stringMatching(/^Interrupted: /) as string,
    detail: '1 done · 1 not tried · 1 without a response',
    action: { label: 'Continue with the remaining 2' },
    duration: Infinity,
  });
  newestToast()?.action?.run();
  expect(start.mock.calls).toEqual([['app.continue']]);
  releaseCalls();
  await continueRun();
  expect(litLamps()).toEqual(['a', 'b', 'c']);
  await vi.waitFor(() => expect([storedRuns.records.size, storedRuns.locks.size]).toEqual([0, 0]));
});

test('everything that was done is undone, before and after it continues', async () => {
  await crash();
  await offer();
  releaseCalls();
  await continueRun();
  await undo();
  expect(litLamps()).toEqual(['a']);
  // What the interrupted part did is uncertain, so its plan is shown first.
  await undo();
  await confirm();
  expect(litLamps()).toEqual([]);
});

test('is offered again after a reload, but recorded only once', async () => {
  await crash();
  await offer();
  store.set(lastResultsAtom, undefined);
  storedRuns.locks.clear();
  const { entries } = store.get(historyAtom);
  expect(entries.map(({ run }) => run.recordId)).toEqual([...storedRuns.records.keys()]);
  offerInterruptedRuns(start);
  await vi.waitFor(() => expect(store.get(lastResultsAtom)).toBeDefined());
  expect(store.get(historyAtom).entries).toHaveLength(1);
});

test('is not offered while another tab runs or offers it', async () => {
  await crash();
  storedRuns.locks.add([...storedRuns.records.keys()][0]!);
  await lookForRuns();
  expect([newestToast(), store.get(historyAtom).entries]).toEqual([undefined, []]);
  expect(storedRuns.records.size).toBe(1);
});

test('is not offered once it was undone', async () => {
  await crash();
  await offer();
  releaseCalls();
  await undo();
  await confirm();
  expect(litLamps()).not.toContain('a');
  await vi.waitFor(() => expect(storedRuns.records.size).toBe(0));
});

test.each([
  ['another user', { person: '2' }],
  ['another organization', { organization: 'acme' }],
])('is not offered to %s', async (_who, owner) => {
  await crash();
  const [record] = storedRuns.records.values();
  storedRuns.records.set(record!.id, { ...record!, ...owner });
  await lookForRuns();
  expect([newestToast(), storedRuns.records.size, storedRuns.locks.size]).toEqual([undefined, 1, 0]);
});

test('is offered when the user returns to its organization', async () => {
  await crash();
  const session = store.get(userSessionAtom)!;
  store.set(userSessionAtom, { ...session, organization: { ...session.organization, id: 'acme' } });
  await lookForRuns();
  expect(newestToast()).toBeUndefined();
  store.set(userSessionAtom, session);
  await vi.waitFor(() => expect(newestToast()).toBeDefined());
});

test.each([
  ['it is older than a week', { startedAt: Date.now() - 8 * 24 * 3_600_000 }],
  ['its command no longer exists', { invocation: { id: 'lamp.smash', args: {} } }],
])('is removed if %s', async (_why, change) => {
  await crash();
  const [record] = storedRuns.records.values();
  storedRuns.records.set(record!.id, { ...record!, ...change });
  await lookForRuns();
  expect([newestToast(), storedRuns.records.size, storedRuns.locks.size]).toEqual([undefined, 0, 0]);
});

test('is offered again after a change in another organization', async () => {
  await crash();
  await offer();
  const session = store.get(userSessionAtom)!;
  store.set(userSessionAtom, { ...session, organization: { ...session.organization, id: 'acme' } });
  releaseCalls();
  await execute(await prepareStaged('c'));
  await vi.waitFor(() => expect([storedRuns.records.size, storedRuns.locks.size]).toEqual([1, 0]));
  store.set(userSessionAtom, session);
  await vi.waitFor(() => expect(toasts.list().some(({ title }) => title.startsWith('Interrupted'))).toBe(true));
});

test('of several runs, the newest is offered first, and each of the others once it was dealt with', async () => {
  await crash();
  const [first] = storedRuns.records.values();
  const storeOlder = (id: string, labels: readonly string[]): void =>
    void storedRuns.records.set(id, { ...first!, id, labels, startedAt: first!.startedAt - storedRuns.records.size });
  storeOlder('second', ['x', 'y', 'z']);
  storeOlder('third', ['u', 'v', 'w']);
  await offer();
  releaseCalls();
  const offered = () => store.get(interruptedRunAtom)?.recordId;
  expect(offered()).toBe(first!.id);
  await continueRun();
  await vi.waitFor(() => expect(offered()).toBe('second'));
  newestToast()?.onDismiss?.();
  await vi.waitFor(() => expect(offered()).toBe('third'));
  expect([...storedRuns.records.keys()]).toEqual(['third']);
  newestToast()?.onDismiss?.();
  await vi.waitFor(() => expect([storedRuns.records.size, storedRuns.locks.size]).toEqual([0, 0]));
  expect(offers()).toEqual([]);
});

const offers = () => toasts.list().filter(({ title }) => title.startsWith('Interrupted'));

test('stays offered after other changes, and their undo', async () => {
  await crash();
  await offer();
  releaseCalls();
  for (const id of ['d', 'e', 'f', 'g', 'h', 'i']) lamps.set(id, '');
  for (const id of ['d', 'e', 'f', 'g', 'h', 'i']) await execute(await prepareStaged(id));
  await undo();
  expect(offers()).toMatchObject([{ action: { label: 'Continue with the remaining 2' } }]);
  expect(storedRuns.records.size).toBe(1);
  await continueRun();
  expect(litLamps()).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  await vi.waitFor(() => expect([storedRuns.records.size, storedRuns.locks.size, offers()]).toEqual([0, 0, []]));
});

test('is offered again once the user has dealt with a run that they canceled later', async () => {
  await crash();
  await offer();
  releaseCalls();
  const canceledRun = { ...store.get(interruptedRunAtom)!, recordId: undefined as never };
  store.set(canceledRunAtom, canceledRun);
  expect(offers()).toEqual([]);
  await continueRun();
  expect([storedRuns.records.size, offers().length]).toEqual([1, 1]);
});

test('is offered again after a reload if it fails as a whole while it continues', async () => {
  await crash();
  await offer();
  const [first] = storedRuns.records.keys();
  releaseCalls();
  const preparedRun = { ...(await prepareStaged('b', 'c')), continues: first! };
  const fail = () => Promise.reject(new Error('broken'));
  await execute({ ...preparedRun, command: { ...preparedRun.command, run: fail } });
  expect([[...storedRuns.records.keys()], offers().length]).toEqual([[first], 1]);
});

test('is kept for the next sign-in when the user signs out', async () => {
  await crash();
  await offer();
  const session = store.get(userSessionAtom);
  store.set(userSessionAtom, undefined);
  forgetUser();
  await vi.waitFor(() => expect([storedRuns.records.size, storedRuns.locks.size, offers()]).toEqual([1, 0, []]));
  store.set(userSessionAtom, session);
  await vi.waitFor(() => expect(offers()).toHaveLength(1));
});

test('shows the toast only until it continues', async () => {
  await crash();
  await offer();
  releaseCalls();
  await continueRun();
  await vi.waitFor(() => expect(toasts.list().some(({ title }) => title.startsWith('Interrupted'))).toBe(false));
});

test('is offered again if its plan is canceled', async () => {
  await crash();
  await offer();
  releaseCalls();
  // The plan is shown in the palette, as for a change that can't be undone.
  const preparedRun = await prepareStaged('b', 'c');
  start.mockImplementationOnce(() =>
    store.set(paletteAtom, { open: true, start: { invocation: { id: 'lamp.light', args: {} } }, preparedRun }),
  );
  const [toast] = offers();
  // The toast's button closes it.
  toasts.close(toast!.id);
  toast!.action!.run();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(offers()).toEqual([]);
  store.set(paletteAtom, { open: false });
  await vi.waitFor(() => expect(offers()).toMatchObject([{ action: { label: 'Continue with the remaining 2' } }]));
});

test('cannot continue twice at once', async () => {
  await crash();
  await offer();
  const release = holdCalls();
  const continuing = continueRun();
  await vi.waitFor(() => expect(store.get(runningCommandsAtom)).toHaveLength(1));
  await expect(continueRun()).rejects.toMatchObject({ userMessage: { key: 'running:history.unfinished' } });
  release();
  await continuing;
});

test('is replaced by the run that continues it', async () => {
  await crash();
  await offer();
  const [first] = storedRuns.records.keys();
  releaseCalls();
  let stored: readonly string[] = [];
  const stop = store.sub(runningCommandsAtom, () => (stored = [...storedRuns.records.keys()]));
  await execute({ ...(await prepareStaged('b', 'c')), continues: first! });
  stop();
  expect(stored).toHaveLength(1);
  expect(stored).not.toContain(first);
  expect(toasts.list().some(({ action }) => action?.label.startsWith('Continue'))).toBe(false);
});

import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { CompletedRun } from '#commands/run/completed-run.ts';
import { EMPTY_HISTORY, addRun } from '#commands/run/history.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { loadAll } from '#src/registry/registry.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { HISTORY_KEY, historyAtom } from '#src/state/work.ts';

import { lastRun } from './last-run.ts';
import { execute, start } from './runner.ts';
import { persistHistory } from './stored-history.ts';
import { lamps, reset } from './testkit/lamps.ts';
import { undo } from './undo.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/lamps.ts')).loaders);

let userId: string | undefined;
beforeAll(async () => {
  persistHistory(() => userId);
  await Promise.all([loadAllStrings(), loadAll()]);
});
beforeEach(() => {
  reset();
  userId = 'identity:7';
  store.set(historyAtom, EMPTY_HISTORY);
  store.set(paletteAtom, { open: false });
  store.set(visibleTargetsAtom, {});
  store.set(userSessionAtom, testSession());
});

/** Simulates a reload by a user, which restores the history that the tab stored. */
function reload(newUserId = userId): void {
  const storedText = window.sessionStorage.getItem(HISTORY_KEY);
  userId = undefined;
  store.set(historyAtom, EMPTY_HISTORY);
  userId = newUserId;
  if (storedText !== null) window.sessionStorage.setItem(HISTORY_KEY, storedText);
  persistHistory(() => userId);
}

const lightLamp = (id: string) => start({ id: 'lamp.light', args: { lamps: { ids: [id] } } });
const paint = (id: string, color: string) => start({ id: 'lamp.paint', args: { lamps: { ids: [id] }, color } });
const litLamps = () => [...lamps].flatMap(([id, color]) => (color ? [id] : []));
const pendingPlan = () => {
  const state = store.get(paletteAtom);
  return state.open ? state.preparedRun?.plan : undefined;
};
const nothingToUndo = { userMessage: { key: 'running:history.nothingToUndo' } };

test('after a reload, undoes changes newest first and still knows which command to repeat', async () => {
  await lightLamp('a');
  await lightLamp('b');
  await lightLamp('c');
  await undo();
  reload();
  expect(lastRun()).toEqual({ id: 'lamp.light', args: { lamps: { ids: ['c'] } } });
  await undo();
  expect(litLamps()).toEqual(['a']);
  reload();
  await undo();
  expect(litLamps()).toEqual([]);
  reload();
  await expect(undo()).rejects.toMatchObject(nothingToUndo);
});

test('restores the checks for conflicts and for irreversible changes', async () => {
  await paint('a', 'red');
  reload();
  lamps.set('a', 'green');
  await undo();
  expect(pendingPlan()?.notes).toEqual([message('running:undo.conflict', { names: 'a' })]);
  store.set(paletteAtom, { open: false });
  await start({ id: 'lamp.remove', args: { lamps: { ids: ['b'] } } });
  const state = store.get(paletteAtom);
  if (!state.open || !state.preparedRun) throw new Error('no plan is pending');
  await execute(state.preparedRun);
  reload();
  await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:undo.irreversible' } });
});

test('restores the history only for the same user', async () => {
  await lightLamp('a');
  reload('identity:8');
  await expect(undo()).rejects.toMatchObject(nothingToUndo);
  await lightLamp('b');
  reload('identity:7');
  await expect(undo()).rejects.toMatchObject(nothingToUndo);
  // Signing out clears the history.
  await lightLamp('c');
  store.set(historyAtom, EMPTY_HISTORY);
  expect(window.sessionStorage.getItem(HISTORY_KEY)).toBeNull();
});

/** Records a change to lamp `b` whose values and inverse are at least this long. */
function recordLargeChange(valueChars: number, inverseChars: number): void {
  const change = { id: 'b', label: 'b', field: message('lamp:color'), before: '', after: 'x'.repeat(valueChars) };
  const completedRun: CompletedRun = {
    invocation: { id: 'lamp.paint', args: {} },
    outcome: {},
    inverse: [{ id: 'lamp.paint', args: { lamps: { ids: ['b'] }, color: 'y'.repeat(inverseChars) } }],
    organization: testContext().organization.id,
    summary: message('lamp:paint'),
    changes: [change],
  };
  store.set(historyAtom, (history) => addRun(history, completedRun));
}

test('shows the plan before undoing a change with values that were too large to store', async () => {
  recordLargeChange(2_100_000, 10);
  reload();
  await undo();
  expect(pendingPlan()?.notes).toEqual([message('running:undo.unknown')]);
});

test('refuses to undo a change that was too large to store', async () => {
  await lightLamp('a');
  recordLargeChange(10, 2_100_000);
  await lightLamp('c');
  reload();
  await undo();
  expect(litLamps()).toEqual(['a']);
  reload();
  await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:undo.irreversible' } });
  expect(litLamps()).toEqual(['a']);
});

test('removes a change made by a command that no longer exists, and all older changes', async () => {
  await lightLamp('a');
  recordLargeChange(10, 10);
  await lightLamp('c');
  const storedText = window.sessionStorage.getItem(HISTORY_KEY)!.replace('"lamp.paint"', '"lamp.retired"');
  store.set(historyAtom, EMPTY_HISTORY);
  window.sessionStorage.setItem(HISTORY_KEY, storedText);
  persistHistory(() => userId);
  await undo();
  await expect(undo()).rejects.toMatchObject(nothingToUndo);
  expect(litLamps()).toEqual(['a']);
});

test.each([
  '',
  '{}',
  'null',
  '{"person":"identity:7","entries":[{"undone":false}]}',
  '{"person":"identity:7","entries":3}',
])('ignores an invalid stored history: %s', async (text) => {
  window.sessionStorage.setItem(HISTORY_KEY, text);
  persistHistory(() => userId);
  await expect(undo()).rejects.toMatchObject(nothingToUndo);
});

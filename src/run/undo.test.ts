import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, test, vi } from 'vitest';

import type { PanelHost } from '#commands/model/screen-hosts.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';
import { onChange } from '#src/data/changes.ts';
import { referenceKey } from '#src/data/query-client.ts';
import { translate } from '#src/i18n/i18n.ts';
import { panelHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { canceledRunAtom, failedRunAtom, reportAtom, runningCommandsAtom } from '#src/state/work.ts';

import { continueRun, retry, start } from './runner.ts';
import { confirm, lightLamps, litLamps, newestToast, pendingPlan, setUpLamps } from './testkit/lamp-runs.ts';
import { lamps, pause, rejectChanges } from './testkit/lamps.ts';
import { undo } from './undo.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/lamps.ts')).loaders);
setUpLamps();

const toastTitles = () => toasts.list().map(({ title }) => title);

describe('the undo key', () => {
  test('undoes the newest change immediately and reports it, then the previous change', async () => {
    await lightLamps('a');
    await lightLamps('b');
    await undo();
    expect([litLamps(), newestToast()?.title]).toEqual([['a'], 'Darkened']);
    await undo();
    expect(litLamps()).toEqual([]);
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToUndo' } });
  });

  test('shows the change it undoes while running', async () => {
    await lightLamps('a');
    const titles = new Map<number | string, string>();
    const stop = store.sub(runningCommandsAtom, () => {
      for (const { id, title } of store.get(runningCommandsAtom)) titles.set(id, translate(title));
    });
    await undo();
    stop();
    // One task prepares the undo, and another runs it.
    expect([...titles.values()]).toEqual(['Undoing: Light', 'Undoing: Light']);
  });

  test('appears only on the newest toast, which names the change to undo', async () => {
    const offers = () => toasts.list().map(({ title, action }) => [title, action?.label]);
    await lightLamps('a');
    expect(offers()).toEqual([['Lit', 'Undo']]);
    await lightLamps('b');
    expect(offers()).toEqual([
      ['Lit', 'Undo'],
      ['Lit', undefined],
    ]);
    await undo();
    expect(offers().map(([, label]) => label)).toEqual([undefined, undefined, undefined]);
    await lightLamps('c');
    lamps.set('c', '');
    await undo();
    expect(offers().map(([, label]) => label)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('shows the plan for a deletion and runs it only after confirmation', async () => {
    await start({ id: 'lamp.add', args: {} });
    expect(lamps.has('new')).toBe(true);
    await undo();
    expect(pendingPlan()).toMatchObject({ summary: { key: 'lamp:remove' }, reversible: false, confirm: 'new' });
    expect(lamps.has('new')).toBe(true);
    await confirm();
    expect(lamps.has('new')).toBe(false);
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToUndo' } });
  });

  test("refuses to undo an irreversible change and doesn't fall back to an older one", async () => {
    await lightLamps('a');
    await start({ id: 'lamp.remove', args: { lamps: { ids: ['b'] } } });
    await confirm();
    await expect(undo()).rejects.toMatchObject({
      userMessage: { key: 'running:undo.irreversible', values: { title: message('lamp:remove') } },
    });
    expect(litLamps()).toEqual(['a']);
  });

  test('shows the plan if a harmless change came later', async () => {
    await lightLamps('a');
    await start({ id: 'lamp.blink', args: {} });
    await undo();
    expect([litLamps(), pendingPlan()?.summary.key]).toEqual([['a'], 'lamp:darken']);
    await confirm();
    expect(litLamps()).toEqual([]);
  });

  test('keeps the panel on a renamed item, also after undoing the rename', async () => {
    const renamePanel = vi.fn<PanelHost['rename']>();
    store.set(panelHostAtom, { rename: renamePanel } as unknown as PanelHost);
    await start({ id: 'lamp.rename', args: { lamps: { ids: ['a'] }, name: 'porch' } });
    await undo();
    expect(renamePanel.mock.calls).toEqual([
      ['lamp', 'a', 'porch'],
      ['lamp', 'porch', 'a'],
    ]);
    store.set(panelHostAtom, undefined);
  });

  test('reports items that someone else has changed since', async () => {
    await start({ id: 'lamp.paint', args: { lamps: { ids: ['a'] }, color: 'red' } });
    lamps.set('a', 'green');
    await undo();
    expect(pendingPlan()?.notes).toEqual([message('running:undo.conflict', { names: 'a' })]);
    await confirm();
    expect(lamps.get('a')).toBe('');
  });

  test('reports once that nothing is left to undo', async () => {
    await lightLamps('a');
    lamps.set('a', '');
    await undo();
    expect(newestToast()?.title).toContain('Nothing is left to undo');
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToUndo' } });
  });

  test('is unavailable while a change is running', async () => {
    await lightLamps('a');
    const resume = pause();
    const running = lightLamps('b');
    await vi.waitFor(() => expect(store.get(runningCommandsAtom)).toHaveLength(1));
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:history.busy' } });
    resume();
    await running;
    expect(litLamps()).toEqual(['a', 'b']);
  });

  test('is unavailable while another undo is running', async () => {
    await lightLamps('a');
    await lightLamps('b');
    const first = undo();
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:history.busy' } });
    await first;
    expect(litLamps()).toEqual(['a']);
  });

  test('reports a partial undo and resumes it', async () => {
    await lightLamps('a');
    await start({ id: 'lamp.exchange', args: {} });
    await confirm();
    rejectChanges('new', new Error('broken'));
    await undo();
    const { id } = testContext().organization;
    const before = referenceKey(id, 'lamp:list');
    await confirm();
    expect([litLamps(), newestToast()?.tone]).toEqual([['a', 'new'], 'error']);
    expect(referenceKey(id, 'lamp:list')).not.toEqual(before);
    rejectChanges(undefined);
    await undo();
    expect(pendingPlan()?.summary.key).toBe('lamp:remove');
    await confirm();
    expect(litLamps()).toEqual(['a']);
  });

  test('retries only the failed part of an undo', async () => {
    await lightLamps('a', 'b');
    await confirm();
    rejectChanges('b', new ConnectError('stuck', Code.FailedPrecondition));
    await undo();
    expect([litLamps(), store.get(reportAtom)?.outcome.results?.length]).toEqual([['b'], 2]);
    rejectChanges(undefined);
    await retry();
    expect(litLamps()).toEqual([]);
  });
});

describe('a canceled undo', () => {
  test('continues immediately with its remaining items', async () => {
    await lightLamps('a', 'b', 'c');
    await confirm();
    const resume = pause();
    const pendingUndo = undo();
    const preparation = store.get(runningCommandsAtom)[0]?.id;
    await vi.waitFor(() => expect([preparation, undefined]).not.toContain(store.get(runningCommandsAtom)[0]?.id));
    store.get(runningCommandsAtom)[0]?.cancel();
    resume();
    await pendingUndo;
    expect([litLamps(), newestToast()?.action?.label]).toEqual([['b', 'c'], 'Continue with the remaining 2']);
    await continueRun();
    expect([litLamps(), pendingPlan()]).toEqual([[], undefined]);
    await expect(continueRun()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToContinue' } });
  });
});

test("can't retry or continue a change that names no items", async () => {
  const { id: organization } = testContext().organization;
  const failure = { code: 'internal', message: message('lamp:broken'), retryable: true };
  const results = [
    { id: 'new', label: 'new', failure },
    { id: 'a', label: 'a', skipped: true as const },
  ];
  const completedRun = {
    invocation: { id: 'lamp.exchange', args: {} },
    outcome: { results },
    inverse: undefined,
    organization,
  };
  store.set(failedRunAtom, completedRun);
  store.set(canceledRunAtom, completedRun);
  const key = (name: string) => ({ userMessage: { key: `running:history.${name}` } });
  await expect(retry()).rejects.toMatchObject(key('nothingToRetry'));
  await expect(continueRun()).rejects.toMatchObject(key('nothingToContinue'));
  expect(lamps.has('new')).toBe(false);
});

test('reports a rejection once and has nothing to undo', async () => {
  rejectChanges('a', new ConnectError('stuck', Code.FailedPrecondition));
  await lightLamps('a');
  expect(toastTitles()).toHaveLength(1);
  await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToUndo' } });
});

test.each([
  ['a missing permission', Code.PermissionDenied, ['lamp', 'me']],
  ['another reason', Code.FailedPrecondition, ['lamp']],
])('reloads after a rejection because of %s', async (_reason, code, expected) => {
  const refreshedEntities: string[] = [];
  const stop = onChange(({ entity }) => refreshedEntities.push(entity));
  rejectChanges('a', new ConnectError('no', code));
  await lightLamps('a');
  // Include the refresh after our own write, which is delayed.
  await new Promise((resolve) => setTimeout(resolve, 150));
  stop();
  expect([...new Set(refreshedEntities)].toSorted()).toEqual(expected);
});

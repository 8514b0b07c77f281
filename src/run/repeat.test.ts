import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, test, vi } from 'vitest';

import { selectedName } from '#commands/run/focus.ts';
import { message } from '#commands/text/message.ts';
import { forgetUser } from '#src/session/organization.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { reportAtom, runningCommandsAtom } from '#src/state/work.ts';

import { continueRun, repeat, retry, start } from './runner.ts';
import { confirm, lightLamps, litLamps, newestToast, pendingPlan, setUpLamps } from './testkit/lamp-runs.ts';
import { lamps, pause, rejectChanges } from './testkit/lamps.ts';
import { undo } from './undo.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/lamps.ts')).loaders);
setUpLamps();

describe('the retry key', () => {
  test('can retry failed items after the report is closed, until the next change', async () => {
    rejectChanges('b', new ConnectError('stuck', Code.FailedPrecondition));
    await lightLamps('a', 'b');
    await confirm();
    store.set(reportAtom, undefined);
    rejectChanges(undefined);
    await retry();
    expect(litLamps()).toEqual(['a', 'b']);
    await expect(retry()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToRetry' } });
  });

  test('retries nothing in another organization', async () => {
    rejectChanges('b', new ConnectError('stuck', Code.FailedPrecondition));
    await lightLamps('a', 'b');
    await confirm();
    const session = store.get(userSessionAtom)!;
    store.set(userSessionAtom, { ...session, organization: { ...session.organization, id: 'elsewhere' } });
    await expect(retry()).rejects.toMatchObject({ userMessage: { key: 'running:history.nothingToRetry' } });
  });
});

describe('the repeat key', () => {
  const select = (...ids: string[]): void =>
    store.set(visibleTargetsAtom, {
      table: { entity: 'lamp', selection: { target: { ids }, count: ids.length, name: selectedName(ids.length) } },
    });

  test('repeats a reversible change immediately on the current selection', async () => {
    await lightLamps('a');
    select('b', 'c');
    await repeat();
    expect([litLamps(), pendingPlan()]).toEqual([['a', 'b', 'c'], undefined]);
    await undo();
    expect(litLamps()).toEqual(['a']);
  });

  test('shows the plan for an irreversible change', async () => {
    await start({ id: 'lamp.remove', args: { lamps: { ids: ['a'] } } });
    await confirm();
    select('b', 'c');
    await repeat();
    expect(pendingPlan()).toMatchObject({ count: 2, reversible: false });
    expect([...lamps.keys()]).toEqual(['b', 'c']);
  });

  test('shows the plan for a single item that is not the visible target', async () => {
    await lightLamps('a');
    await undo();
    await repeat();
    expect([litLamps(), pendingPlan()?.count]).toEqual([[], 1]);
    store.set(paletteAtom, { open: false });
    store.set(visibleTargetsAtom, {
      table: { entity: 'lamp', row: { id: 'b', name: message('core:target.item', { name: 'b' }) } },
    });
    await repeat();
    expect([litLamps(), pendingPlan()]).toEqual([['b'], undefined]);
  });

  test('immediately repeats a command that has no target', async () => {
    await start({ id: 'lamp.add', args: {} });
    lamps.delete('new');
    await repeat();
    expect([[...lamps.keys()], pendingPlan()]).toEqual([['a', 'b', 'c', 'new'], undefined]);
  });

  test("shows the plan if the selection doesn't match, or away from home", async () => {
    await lightLamps('a', 'b');
    await confirm();
    await undo();
    await repeat();
    expect([litLamps(), pendingPlan()?.count]).toEqual([[], 2]);
    store.set(paletteAtom, { open: false });
    store.set(
      userSessionAtom,
      (session) => session && { ...session, organization: { ...session.organization, awayFromHome: true } },
    );
    for (const ids of [['a', 'b'], ['a']]) {
      select(...ids);
      await repeat();
      expect([litLamps(), pendingPlan()?.count]).toEqual([[], ids.length]);
      store.set(paletteAtom, { open: false });
    }
  });
});

describe('a canceled run', () => {
  const nothingToContinue = { userMessage: { key: 'running:history.nothingToContinue' } };

  test("can't be continued by another user", async () => {
    const resume = pause();
    await lightLamps('a', 'b');
    const running = confirm();
    await vi.waitFor(() => expect(store.get(runningCommandsAtom)).toHaveLength(1));
    store.get(runningCommandsAtom)[0]?.cancel();
    resume();
    await running;
    forgetUser();
    await expect(continueRun()).rejects.toMatchObject(nothingToContinue);
  });

  test('offers to continue with the remaining items', async () => {
    const resume = pause();
    await lightLamps('a', 'b', 'c');
    const running = confirm();
    await vi.waitFor(() => expect(store.get(runningCommandsAtom)).toHaveLength(1));
    store.get(runningCommandsAtom)[0]?.cancel();
    resume();
    await running;
    expect(litLamps()).toEqual(['a']);
    expect(newestToast()?.action).toMatchObject({ label: 'Continue with the remaining 2' });
    await continueRun();
    expect(litLamps()).toEqual(['a', 'b', 'c']);
    await expect(continueRun()).rejects.toMatchObject(nothingToContinue);
    await undo();
    await undo();
    expect(litLamps()).toEqual([]);
  });
});

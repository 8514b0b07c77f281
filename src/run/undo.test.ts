import { Code, ConnectError } from '@connectrpc/connect';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { HostCapabilities } from '#commands/model/host.ts';
import { selectedName } from '#commands/run/focus.ts';
import { EMPTY } from '#commands/run/history.ts';
import { message } from '#commands/text/message.ts';
import { testContext } from '#commands/testkit/context.ts';

import { onChange } from '#src/data/changes.ts';
import { referenceKey } from '#src/data/query-client.ts';
import { allTexts, i18n } from '#src/i18n/i18n.ts';
import { actingAtom } from '#src/state/acting.ts';
import { shownAtom } from '#src/state/focus.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { cancelledAtom, historyAtom, reportAtom, runningAtom } from '#src/state/work.ts';
import { provide } from './context.ts';
import { execute, goOn, invoke, repeat, retry } from './runner.ts';
import { lamps, pause, refuse, reset } from './testkit/lamps.ts';
import { undo } from './undo.ts';

vi.mock('#commands/nouns/all.ts', async () => ({ registry: (await import('./testkit/lamps.ts')).registry }));

const text = () => toasts.list().map(({ title }) => title);
const newest = () => toasts.list()[0];
const clear = () => {
  for (const { id } of toasts.list()) toasts.close(id);
};
const light = (...ids: string[]) => invoke({ id: 'lamp.light', args: { lamps: { ids } } });
/** Runs what waits in the palette for a look. */
async function agree(): Promise<void> {
  const state = store.get(paletteAtom);
  if (!state.open || !state.prepared) throw new Error('no plan waits');
  store.set(paletteAtom, { open: false });
  await execute(state.prepared);
}
const waits = () => {
  const state = store.get(paletteAtom);
  return state.open ? state.prepared?.plan : undefined;
};

beforeAll(async () => {
  i18n.addResourceBundle('en', 'lamp', { darkened: 'Darkened', lit: 'Lit', light: 'Light' });
  await allTexts();
});

beforeEach(() => {
  reset();
  clear();
  store.set(historyAtom, EMPTY);
  store.set(paletteAtom, { open: false });
  store.set(cancelledAtom, undefined);
  store.set(reportAtom, undefined);
  store.set(shownAtom, {});
  const { actor, organization } = testContext();
  store.set(actingAtom, { actor, organization, preferences: {}, acceptedTac: true, passwordResetRecommended: false });
  const history: HostCapabilities['history'] = { undo, repeat, last: () => undefined };
  provide({ history });
});

const lit = () => [...lamps].flatMap(([id, on]) => (on ? [id] : []));

describe('u', () => {
  it('takes back the newest at once, says what happened, and then the one before', async () => {
    await light('a');
    await light('b');
    await undo();
    expect([lit(), newest()?.title]).toEqual([['a'], 'Darkened']);
    await undo();
    expect(lit()).toEqual([]);
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'core:history.nothingToUndo' } });
  });

  it('shows the plan of what deletes, and runs it only when that is agreed to', async () => {
    await invoke({ id: 'lamp.add', args: {} });
    expect(lamps.has('new')).toBe(true);
    await undo();
    expect(waits()).toMatchObject({ summary: { key: 'lamp:remove' }, reversible: false, confirm: 'new' });
    expect(lamps.has('new')).toBe(true);
    await agree();
    expect(lamps.has('new')).toBe(false);
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'core:history.nothingToUndo' } });
  });

  it('refuses after what cannot be undone, and leaves what is older alone', async () => {
    await light('a');
    await invoke({ id: 'lamp.remove', args: { lamps: { ids: ['b'] } } });
    await agree();
    await expect(undo()).rejects.toMatchObject({
      userMessage: { key: 'core:undo.irreversible', values: { title: message('lamp:remove') } },
    });
    expect(lit()).toEqual(['a']);
  });

  it('shows what it takes back where something harmless came after it', async () => {
    await light('a');
    await invoke({ id: 'lamp.blink', args: {} });
    await undo();
    expect([lit(), waits()?.summary.key]).toEqual([['a'], 'lamp:darken']);
    await agree();
    expect(lit()).toEqual([]);
  });

  it('names what somebody else changed since', async () => {
    await invoke({ id: 'lamp.paint', args: { lamps: { ids: ['a'] }, colour: 'red' } });
    lamps.set('a', 'green');
    await undo();
    expect(waits()?.notes).toEqual([message('core:undo.conflict', { names: 'a' })]);
    await agree();
    expect(lamps.get('a')).toBe('');
  });

  it('has nothing left to do where all was put back, and does not ask again', async () => {
    await light('a');
    lamps.set('a', '');
    await undo();
    expect(newest()?.title).toContain('Nothing is left to undo');
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'core:history.nothingToUndo' } });
  });

  it('waits for what is still running', async () => {
    await light('a');
    const go = pause();
    const running = light('b');
    await vi.waitFor(() => expect(store.get(runningAtom)).toHaveLength(1));
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'core:history.busy' } });
    go();
    await running;
    expect(lit()).toEqual(['a', 'b']);
  });

  it('is not pressed twice at once', async () => {
    await light('a');
    await light('b');
    const first = undo();
    await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'core:history.busy' } });
    await first;
    expect(lit()).toEqual(['a']);
  });

  it('tells what it changed before it broke off, and goes on there', async () => {
    await light('a');
    await invoke({ id: 'lamp.exchange', args: {} });
    await agree();
    refuse('new', new Error('broken'));
    await undo();
    const { id } = testContext().organization;
    const before = referenceKey(id, 'lamp:list');
    await agree();
    expect([lit(), newest()?.tone]).toEqual([['a', 'new'], 'error']);
    expect(referenceKey(id, 'lamp:list')).not.toEqual(before);
    refuse(undefined);
    await undo();
    expect(waits()?.summary.key).toBe('lamp:remove');
    await agree();
    expect(lit()).toEqual(['a']);
  });

  it('goes on where a part failed, and does not do it all again', async () => {
    await light('a', 'b');
    await agree();
    refuse('b', new ConnectError('stuck', Code.FailedPrecondition));
    await undo();
    expect([lit(), store.get(reportAtom)?.outcome.results?.length]).toEqual([['b'], 2]);
    refuse(undefined);
    await retry();
    expect(lit()).toEqual([]);
  });
});

describe('.', () => {
  const select = (...ids: string[]): void =>
    store.set(shownAtom, {
      table: { entity: 'lamp', selection: { target: { ids }, count: ids.length, name: selectedName(ids.length) } },
    });

  it('does what can be undone again at once, on as many as are selected', async () => {
    await light('a');
    select('b', 'c');
    await repeat();
    expect([lit(), waits()]).toEqual([['a', 'b', 'c'], undefined]);
    await undo();
    expect(lit()).toEqual(['a']);
  });

  it('shows the plan of what has no way back', async () => {
    await invoke({ id: 'lamp.remove', args: { lamps: { ids: ['a'] } } });
    await agree();
    select('b', 'c');
    await repeat();
    expect(waits()).toMatchObject({ count: 2, reversible: false });
    expect([...lamps.keys()]).toEqual(['b', 'c']);
  });

  it('shows the plan where nothing of that kind is in view, and while acting for another organization', async () => {
    await light('a', 'b');
    await agree();
    await undo();
    await repeat();
    expect([lit(), waits()?.count]).toEqual([[], 2]);
    store.set(paletteAtom, { open: false });
    store.set(
      actingAtom,
      (acting) => acting && { ...acting, organization: { ...acting.organization, impersonating: true } },
    );
    select('a', 'b');
    await repeat();
    expect([lit(), waits()?.count]).toEqual([[], 2]);
  });
});

describe('a cancelled run', () => {
  it('offers to go on with the rest, and goes on', async () => {
    const go = pause();
    await light('a', 'b', 'c');
    const running = agree();
    await vi.waitFor(() => expect(store.get(runningAtom)).toHaveLength(1));
    store.get(runningAtom)[0]?.cancel();
    go();
    await running;
    expect(lit()).toEqual(['a']);
    expect(newest()?.action).toMatchObject({ label: 'Continue with the remaining 2' });
    await goOn();
    expect(lit()).toEqual(['a', 'b', 'c']);
    await expect(goOn()).rejects.toMatchObject({ userMessage: { key: 'core:history.nothingToContinue' } });
    await undo();
    await undo();
    expect(lit()).toEqual([]);
  });
});

it('says a refusal once, and has nothing to undo', async () => {
  refuse('a', new ConnectError('stuck', Code.FailedPrecondition));
  await light('a');
  expect(text()).toHaveLength(1);
  await expect(undo()).rejects.toMatchObject({ userMessage: { key: 'core:history.nothingToUndo' } });
});

it.each([
  ['a permission', Code.PermissionDenied, ['lamp', 'me']],
  ['anything else', Code.FailedPrecondition, ['lamp']],
])('asks anew what this person may do where %s is refused', async (_what, code, wanted) => {
  const asked: string[] = [];
  const stop = onChange(({ entity }) => asked.push(entity));
  refuse('a', new ConnectError('no', code));
  await light('a');
  // With our own write's refresh, which is a moment later.
  await new Promise((resolve) => setTimeout(resolve, 150));
  stop();
  expect([...new Set(asked)].toSorted()).toEqual(wanted);
});

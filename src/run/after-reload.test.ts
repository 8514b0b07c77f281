import { beforeEach, expect, test, vi } from 'vitest';

import { message } from '#commands/text/message.ts';
import { testSession } from '#src/state/testkit/user-session.ts';

import { lamps, loaders, reset } from './testkit/lamps.ts';

// Right after a reload, the nouns and the code that runs commands have not loaded yet.

vi.mock('#src/registry/loaders.ts', () => ({
  get manifest() {
    return loaders.manifest;
  },
  importEntity: (name: string) => loaders.importEntity(name),
  importNoun: (name: string) => loaders.importNoun(name),
}));
vi.mock('#src/auth/session.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  currentUserId: () => 'identity:7',
}));

const load = async () => ({
  ...(await import('./invoke.ts')),
  ...(await import('#src/registry/registry.ts')),
  ...(await import('#src/state/store.ts')),
  ...(await import('#src/state/work.ts')),
  ...(await import('#src/state/user-session.ts')),
  ...(await import('#src/state/focus.ts')),
  ...(await import('#src/session/organization.ts')),
  ...(await import('#commands/run/history.ts')),
});
let page: Awaited<ReturnType<typeof load>>;

beforeEach(async () => {
  vi.resetModules();
  page = await load();
  reset();
  const session = testSession();
  page.store.set(page.userSessionAtom, session);
  // `a` was lit before the reload.
  lamps.set('a', 'white');
  const lamp = (id: string) => ({ lamps: { ids: [id] } });
  const change = {
    organization: session.organization.id,
    command: 'lamp.light',
    args: lamp('a'),
    inverse: [{ id: 'lamp.darken', args: lamp('a') }],
    left: [],
    changed: true,
  };
  const storedHistory = { person: 'identity:7', entries: [{ undone: false, change }] };
  window.sessionStorage.setItem(page.HISTORY_KEY, JSON.stringify(storedHistory));
});

test('loads the commands that an undo needs', async () => {
  expect(page.registry().commands).toEqual([]);
  await page.waitUntilLoaded(['app.undo'], ({ undo }) => undo());
  expect(lamps.get('a')).toBe('');
});

test('loads the commands that a repeat needs', async () => {
  const name = message('core:target.item', { name: 'b' });
  page.store.set(page.visibleTargetsAtom, { table: { entity: 'lamp', row: { id: 'b', name } } });
  await page.waitUntilLoaded(['app.repeat'], ({ repeat }) => repeat());
  expect(lamps.get('b')).toBe('white');
});

test('clears the history on sign-out even before reading it', () => {
  page.forgetUser();
  expect(window.sessionStorage.getItem(page.HISTORY_KEY)).toBeNull();
});

test("stores a change without its inverse until the inverse's commands have loaded", async () => {
  const { store, historyAtom, loadRunner, addRun, registry } = page;
  await loadRunner();
  const entry = store.get(historyAtom).entries[0];
  if (!entry) throw new Error('The history was not restored.');
  const storedInverses = (): readonly unknown[] => {
    const { entries } = JSON.parse(window.sessionStorage.getItem(page.HISTORY_KEY) ?? '{}') as {
      readonly entries: readonly { readonly change: { readonly inverse?: unknown } }[];
    };
    return entries.map(({ change }) => change.inverse);
  };
  const { inverse } = entry.run;
  store.set(historyAtom, (history) => addRun(history, { ...entry.run, invocation: { ...entry.run.invocation } }));
  expect(storedInverses()).toEqual([inverse, undefined]);
  await vi.waitFor(() => expect(registry().command('lamp.darken')).toBeDefined());
  await vi.waitFor(() => expect(storedInverses()).toEqual([inverse, inverse]));
});

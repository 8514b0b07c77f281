import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import { p } from '#commands/model/params.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { gadget, simplePlan } from '#commands/testkit/gadget.ts';
import type { FormStart } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { recordUnsaved } from '#src/state/unsaved.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { storeUnsavedOnPageHide } from './store-unsaved.ts';

const lock = command({
  id: 'gadget.lock',
  effect: 'write',
  params: {
    gadgets: p.many(() => gadget),
    name: p.text(),
    code: p.secret(),
    headers: p.pairs({ hidden: true }),
    manual: p.file({ accept: ['text/plain'], maxBytes: 100 }),
  },
  plan: simplePlan,
  run: async () => ({}),
});
vi.mock('#src/registry/registry.ts', () => ({
  registry: () => createRegistry([{ entity: gadget, commands: [lock] }]),
}));

const me = testSession();
const otherSession = { ...me, organization: { ...me.organization, id: 'elsewhere' } };
const otherUser = { ...me, actor: { ...me.actor, id: 'somebody' } };
const form = Symbol('form');
const gadgets = { ids: ['AAAA BBBB'] };

/** Closes the page with the given input and returns the module as the next page loads it. */
async function reload(input?: Omit<FormStart, 'id'>, isRunning = false) {
  recordUnsaved(form, input && { input: { id: lock.id, ...input }, isRunning });
  window.dispatchEvent(new Event('pagehide'));
  vi.resetModules();
  return import('#src/state/unsaved.ts');
}

beforeAll(() => {
  store.set(userSessionAtom, me);
  storeUnsavedOnPageHide();
});
afterEach(() => window.sessionStorage.clear());

test('keeps typed input for the same user and organization across a single reload', async () => {
  const input = { args: { gadgets, name: 'plum' }, typed: { name: '' } };
  const { takeUnsaved } = await reload(input);
  expect(takeUnsaved(otherSession)).toBeUndefined();
  expect(takeUnsaved(me)).toEqual({ id: lock.id, ...input });
  expect(takeUnsaved(me)).toBeUndefined();
  expect(window.sessionStorage.getItem('quarterdeck-unsaved')).toBeNull();

  const nextPage = await reload(input);
  expect(nextPage.takeUnsaved(otherUser)).toBeUndefined();
  expect(nextPage.takeUnsaved(me)).toBeUndefined();
});

test('stores no secrets or files', async () => {
  const secrets = { code: 'hush', headers: { 'X-Key': 'hush' }, manual: 'hush' };
  const { takeUnsaved } = await reload({ args: { gadgets, name: 'plum', ...secrets }, typed: { code: 'hush' } });
  expect(JSON.stringify({ ...window.sessionStorage })).not.toContain('hush');
  expect(takeUnsaved(me)).toEqual({ id: lock.id, args: { gadgets, name: 'plum' }, typed: {} });
  expect((await reload({ args: { gadgets, ...secrets } })).takeUnsaved(me)).toBeUndefined();
});

test('stores nothing for a form that is running or has closed, and ignores unknown data', async () => {
  expect((await reload({ args: { name: 'plum' } }, true)).takeUnsaved(me)).toBeUndefined();
  await reload({ args: { name: 'plum' } });
  expect((await reload()).takeUnsaved(me)).toBeUndefined();
  for (const storedText of ['{"not": "ours"', '{}', '[1, {"person": "x"}]']) {
    window.sessionStorage.setItem('quarterdeck-unsaved', storedText);
    vi.resetModules();
    expect((await import('#src/state/unsaved.ts')).takeUnsaved(me)).toBeUndefined();
  }
});

import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { PanelHost, TableHost } from '#commands/model/screen-hosts.ts';
import { loadAllStrings, i18n } from '#src/i18n/i18n.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { panelHostAtom, tableHostAtom } from '#src/state/focus.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';

import { execute, retry, start } from './runner.ts';
import { lamps, readLamps, rejectChanges, reset } from './testkit/lamps.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/lamps.ts')).loaders);

beforeAll(async () => {
  i18n.addResourceBundle('en', 'lamp', { lit: 'Lit', light: 'Light' });
  await Promise.all([loadAllStrings(), loadAll()]);
});
beforeEach(() => {
  showGadgets();
  reset();
  for (const { id } of toasts.list()) toasts.close(id);
});
afterEach(() => {
  store.set(tableHostAtom, undefined);
  store.set(panelHostAtom, undefined);
  store.set(overridesAtom, {});
});

async function lightAll(): Promise<void> {
  await start({ id: 'lamp.light', args: { lamps: { ids: [...lamps.keys()] } } });
  const palette = store.get(paletteAtom);
  if (!palette.open || !palette.preparedRun) throw new Error('no plan is pending');
  await execute(palette.preparedRun);
}

/** Shows a table of an entity and returns the selections that are made in it. */
function showTable(entity: string): readonly unknown[] {
  const selections: unknown[] = [];
  const table: Partial<TableHost> = {
    entityName: () => entity,
    pinActiveRow: () => undefined,
    select: (target) => selections.push(target),
  };
  store.set(tableHostAtom, table as TableHost);
  return selections;
}

test('selects the failed items', async () => {
  const selections = showTable('lamp');
  rejectChanges('b', new ConnectError('stuck', Code.FailedPrecondition));
  await lightAll();
  expect(selections).toEqual([{ ids: ['b'] }]);
});

test('keeps the selection if nothing failed, and in a table of other items', async () => {
  const lampSelections = showTable('lamp');
  await lightAll();
  reset();
  const gadgetSelections = showTable('gadget');
  rejectChanges('b', new ConnectError('stuck', Code.FailedPrecondition));
  await lightAll();
  expect([lampSelections, gadgetSelections]).toEqual([[], []]);
});

describe('the retry key', () => {
  const look = (...ids: string[]) => start({ id: 'lamp.look', args: { lamps: { ids } } });
  const stuck = new ConnectError('stuck', Code.FailedPrecondition);

  test('retries a failed change, even after a later read', async () => {
    rejectChanges('b', stuck);
    await lightAll();
    await look('a');
    rejectChanges(undefined);
    await retry();
    expect([...lamps.values()]).toEqual(['white', 'white', 'white']);
  });

  test("retries items that couldn't be read", async () => {
    rejectChanges('b', stuck);
    await look('a', 'b');
    await retry();
    expect(readLamps).toEqual(['a', 'b', 'b']);
  });
});

test('renames items without a panel, and only renamed items in the panel', async () => {
  const rename = vi.fn<PanelHost['rename']>();
  await start({ id: 'lamp.rename', args: { lamps: { ids: ['a'] }, name: 'porch' } });
  expect(lamps.has('porch')).toBe(true);
  store.set(panelHostAtom, { rename } as Partial<PanelHost> as PanelHost);
  await start({ id: 'lamp.light', args: { lamps: { ids: ['b'] } } });
  expect([rename.mock.calls, toasts.list().map(({ title }) => title)]).toEqual([[], ['Lit']]);
});

test('offers undo with its key, including a custom key', async () => {
  const offeredKey = () => toasts.list()[0]?.action?.keys?.text;
  await lightAll();
  expect(offeredKey()).toBe('u');
  store.set(overridesAtom, { 'app.undo': ['z z'] });
  reset();
  await lightAll();
  expect(offeredKey()).toBe('z z');
});

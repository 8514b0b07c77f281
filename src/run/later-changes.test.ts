import { expect, test, vi } from 'vitest';

import { targetParam } from '#commands/model/command.ts';
import { registry } from '#src/registry/registry.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

import { executeConfirmed } from './runner.ts';
import { lightLamps, newestToast, pendingPlan, setUpLamps } from './testkit/lamp-runs.ts';
import { lamps } from './testkit/lamps.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/lamps.ts')).loaders);

setUpLamps();

/** Presses Enter on the plan that is visible. */
async function confirmVisible(): Promise<void> {
  const state = store.get(paletteAtom);
  if (!state.open || !state.preparedRun) throw new Error('no plan is visible');
  store.set(paletteAtom, { open: false });
  await executeConfirmed(state.preparedRun);
}

const colors = () => [...lamps.values()];

test('a plan is shown again if someone changed a value that it replaces', async () => {
  await lightLamps('a', 'b');
  lamps.set('a', 'red');
  await confirmVisible();
  expect(colors()).toEqual(['red', '', '']);
  expect(pendingPlan()).toMatchObject({
    notes: [{ key: 'running:plan.changedLater', values: { count: 1, names: 'a' } }],
    changes: [{ id: 'a', before: 'red' }, { id: 'b' }],
  });
  await confirmVisible();
  expect(colors()).toEqual(['white', 'white', '']);
});

test('a plan runs if nothing that it replaces has changed, or if that is already as planned', async () => {
  await lightLamps('a', 'b');
  lamps.set('a', 'white');
  lamps.set('c', 'red');
  await confirmVisible();
  expect([colors(), pendingPlan()]).toEqual([['white', 'white', 'red'], undefined]);
});

test('a plan runs if an item is gone, and the run says so', async () => {
  await lightLamps('a', 'b');
  lamps.delete('a');
  await confirmVisible();
  expect([pendingPlan(), newestToast() !== undefined]).toEqual([undefined, true]);
});

test('a plan is shown again if an item was moved to another organization', async () => {
  const owner = { id: 'north', name: 'North' };
  const owners = new WeakMap<object, typeof owner>();
  /** Returns the organization at the time when the item was looked up. */
  const belongsTo = (item: object): typeof owner => {
    owners.set(item, owners.get(item) ?? { ...owner });
    return owners.get(item)!;
  };
  const { entity } = targetParam(registry().command('lamp.light')!)!;
  Object.assign(entity, { belongsTo });
  await lightLamps('a', 'b');
  Object.assign(owner, { id: 'south', name: 'South' });
  await confirmVisible();
  expect([colors(), pendingPlan()?.notes?.[0]?.key]).toEqual([['', '', ''], 'running:plan.changedLater']);
  await confirmVisible();
  expect(colors()).toEqual(['white', 'white', '']);
  Object.assign(entity, { belongsTo: undefined });
});

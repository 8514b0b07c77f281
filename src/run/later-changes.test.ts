import { expect, test, vi } from 'vitest';

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

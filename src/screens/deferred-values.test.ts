import { expect, test, vi } from 'vitest';

import type { DeferredValues } from '#commands/model/entity.ts';
import { testContext } from '#commands/testkit/context.ts';

import { createDeferredLoader } from './deferred-values.ts';

const context = testContext();

interface Row {
  readonly id: string;
  readonly pressure?: unknown;
}

function createLoader(load: DeferredValues<unknown>['load']) {
  const deferredValues: DeferredValues<unknown> = { load, add: (row, pressure) => ({ ...(row as Row), pressure }) };
  return createDeferredLoader({ id: (row) => (row as Row).id, deferredValues });
}

test('keeps the values of rows that are reloaded', async () => {
  const loader = createLoader(async () => new Map([['a', 90]]));
  expect(loader.addKnown([{ id: 'a' }])).toEqual([{ id: 'a' }]);
  await loader.load(context, [{ id: 'a' }]);
  expect(loader.addKnown([{ id: 'a' }, { id: 'b' }])).toEqual([{ id: 'a', pressure: 90 }, { id: 'b' }]);
});

test('keeps the known values if loading fails', async () => {
  const load = vi.fn<DeferredValues<unknown>['load']>().mockResolvedValueOnce(new Map([['a', 90]]));
  const loader = createLoader(load);
  await loader.load(context, [{ id: 'a' }]);
  load.mockRejectedValueOnce(new Error('offline'));
  await loader.load(context, [{ id: 'a' }]);
  expect(loader.addKnown([{ id: 'a' }])).toEqual([{ id: 'a', pressure: 90 }]);
});

test('forgets a value that an item no longer has', async () => {
  const load = vi.fn<DeferredValues<unknown>['load']>().mockResolvedValueOnce(new Map([['a', 90]]));
  const loader = createLoader(load);
  await loader.load(context, [{ id: 'a' }]);
  load.mockResolvedValueOnce(new Map());
  await loader.load(context, [{ id: 'a' }]);
  expect(loader.addKnown([{ id: 'a' }])).toEqual([{ id: 'a', pressure: undefined }]);
});

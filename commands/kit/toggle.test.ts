import { beforeEach, expect, test, vi } from 'vitest';

import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import type { BulkSpec } from './bulk-action.ts';
import { toggle } from './toggle.ts';

type Call = BulkSpec<Gadget, Record<never, never>>['call'];
const start = vi.fn<Call>();
const halt = vi.fn<Call>();

const { on, off } = toggle({
  entity: gadget,
  requires: [],
  size: 1,
  field: message('gadget:state'),
  current: ({ state }) => state,
  on: {
    verb: 'start',
    keys: ['r'],
    appliesTo: ({ state }) => state !== 'OK',
    // A gadget in WARNING would not return to that state.
    isUndoable: ({ state }) => state === 'ERROR',
    state: message('gadget:runs'),
    call: start,
  },
  off: { verb: 'halt', appliesTo: ({ state }) => state === 'OK', state: message('gadget:stands'), call: halt },
});

const allGadgets = { gadgets: { ids: gadgets.map(({ id }) => id) } };

beforeEach(() => {
  for (const call of [start, halt]) call.mockReset().mockResolvedValue(undefined);
});

test('declares two commands that change only items in the opposite state', async () => {
  expect([on.id, on.keys, off.id, off.keys]).toEqual(['gadget.start', ['r'], 'gadget.halt', undefined]);
  expect(gadgets.map((item) => [on.appliesTo?.(item), off.appliesTo?.(item)])).toEqual([
    [false, true],
    [true, false],
    [true, false],
  ]);
  const preparedRun = await prepare(on, allGadgets, testContext());
  expect(preparedRun.plan).toMatchObject({
    count: 2,
    changes: [
      { id: 'CCCC DDDD', field: { key: 'gadget:state' }, before: 'ERROR', after: { key: 'gadget:runs' } },
      { id: 'EEEE FFFF', field: { key: 'gadget:state' }, before: 'ERROR', after: { key: 'gadget:runs' } },
    ],
    notes: [{ key: 'common:plan.unchanged', values: { count: 1 } }],
    reversible: true,
  });
  await run(preparedRun, testContext());
  expect(start.mock.calls.map(([, items]) => items.map(({ id }) => id))).toEqual([['CCCC DDDD'], ['EEEE FFFF']]);
  expect((await prepare(off, allGadgets, testContext())).plan?.changes).toMatchObject([
    { id: 'AAAA BBBB', before: 'OK', after: { key: 'gadget:stands' } },
  ]);
});

test('is undone by the opposite command for the items that changed', async () => {
  gadgets.push({ id: '1111 2222', name: 'Spare', state: 'WARNING' });
  try {
    const ids = gadgets.map(({ id }) => id);
    const startRun = await run(await prepare(on, { gadgets: { ids } }, testContext()), testContext());
    expect(startRun.inverse).toEqual([{ id: 'gadget.halt', args: { gadgets: { ids: ['CCCC DDDD', 'EEEE FFFF'] } } }]);
  } finally {
    gadgets.pop();
  }
  const haltRun = await run(await prepare(off, allGadgets, testContext()), testContext());
  expect(haltRun.inverse).toEqual([{ id: 'gadget.start', args: { gadgets: { ids: ['AAAA BBBB'] } } }]);
});

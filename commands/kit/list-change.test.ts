import { beforeEach, expect, test, vi } from 'vitest';

import { p } from '#commands/model/params.ts';
import { prepare, run } from '#commands/run/run.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import type { BulkSpec } from './bulk-action.ts';
import { addedBy, listChange, removedBy } from './list-change.ts';

const params = { add: p.words(), remove: p.words() };
const call = vi.fn<BulkSpec<Gadget, typeof params>['call']>();
let parts: Readonly<Record<string, readonly string[]>>;

const fitCommand = listChange({
  entity: gadget,
  verb: 'fit',
  requires: [],
  params,
  field: message('gadget:parts'),
  current: ({ id }) => parts[id] ?? [],
  after: (current, { add = [], remove = [] }) =>
    [...new Set([...current, ...add])].filter((name) => !remove.includes(name)),
  label: (name, { name: gadgetName }) => `${name} of ${gadgetName}`,
  undo: (difference) => ({ verb: 'fit', args: { add: removedBy(difference), remove: addedBy(difference) } }),
  call,
});

beforeEach(() => {
  call.mockReset().mockResolvedValue(undefined);
  parts = { 'AAAA BBBB': ['valve', 'gauge'], 'CCCC DDDD': ['gauge'], 'EEEE FFFF': ['gauge'] };
});

const prepareFit = (args: Record<string, string[]>) =>
  prepare(fitCommand, { gadgets: { ids: gadgets.map(({ id }) => id) }, ...args }, testContext());

test('plans additions and removals for each item and leaves out unchanged items', async () => {
  const { plan } = await prepareFit({ add: ['valve'], remove: ['hose'] });
  const field = { key: 'gadget:parts' };
  expect(plan).toMatchObject({
    count: 2,
    changes: [
      { id: 'CCCC DDDD', field, added: ['valve of South pump'], removed: [] },
      { id: 'EEEE FFFF', field, added: ['valve of Well 7'], removed: [] },
    ],
    notes: [{ key: 'common:plan.unchanged', values: { count: 1 } }],
    reversible: true,
  });
});

test('finds no change if only the order differs', async () => {
  parts = { 'AAAA BBBB': ['valve', 'gauge'] };
  const swap = listChange({
    entity: gadget,
    verb: 'swap',
    requires: [],
    field: message('gadget:parts'),
    current: ({ id }) => parts[id] ?? [],
    after: (current) => current.toReversed(),
    label: String,
    undo: () => ({ verb: 'swap', args: {} }),
    call,
  });
  expect((await prepare(swap, { gadgets: { ids: ['AAAA BBBB'] } }, testContext())).plan?.count).toBe(0);
});

test('restores the old list on undo and groups items with the same change', async () => {
  const { inverse } = await run(await prepareFit({ add: ['valve'], remove: ['gauge'] }), testContext());
  expect(inverse).toEqual([
    { id: 'gadget.fit', args: { gadgets: { ids: ['AAAA BBBB'] }, add: ['gauge'], remove: [] } },
    { id: 'gadget.fit', args: { gadgets: { ids: ['CCCC DDDD', 'EEEE FFFF'] }, add: ['gauge'], remove: ['valve'] } },
  ]);
});

import { expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';

import { localLookups, slicePage } from './local-list.ts';

interface Pump {
  readonly id: string;
  readonly name?: string;
  readonly place?: string;
}

const pumps: readonly Pump[] = [
  { id: '1', name: 'North' },
  { id: '2', name: 'north', place: 'Quay 7' },
  { id: '3', name: '1' },
  { id: 'four' },
];

const context = {} as Context;
const pumpList = { loadAll: async () => pumps, id: ({ id }: Pump) => id, name: ({ name }: Pump) => name };
const { byIds, find, search } = localLookups(pumpList);
const idsOf = async (result: Promise<readonly Pump[]>) => (await result).map(({ id }) => id);

test.each([
  ['by its id with #, even if another item has that name', '#1', ['1']],
  ['by its exact name, even if another item has that id', '1', ['3']],
  ['by its id', ' four ', ['four']],
  ['by its id in any case', 'FOUR', ['four']],
  ['by its exact name rather than a name in another case', 'north', ['2']],
  ['by its name in any case, with all items of that name', 'NORTH', ['1', '2']],
  ['only by its full name', 'nor', []],
])('finds an item %s', async (_, text, ids) => {
  expect(await idsOf(find(context, text))).toEqual(ids);
});

test('returns the items with the given ids', async () => {
  expect(await idsOf(byIds(context, ['four', '2', '9']))).toEqual(['2', 'four']);
});

test('searches names or a declared text, up to a limit', async () => {
  expect(await idsOf(search(context, 'nor', 5))).toEqual(['1', '2']);
  expect(await idsOf(search(context, 'nor', 1))).toEqual(['1']);
  expect(await idsOf(search(context, 'quay', 5))).toEqual([]);
  const wider = localLookups({ ...pumpList, text: ({ name, place }) => `${name} ${place}` });
  expect(await idsOf(wider.search(context, 'quay', 5))).toEqual(['2']);
});

test('pages a list and returns its total', () => {
  expect(slicePage(pumps, { page: 1, size: 3 })).toEqual({ items: [pumps[3]], total: 4 });
});

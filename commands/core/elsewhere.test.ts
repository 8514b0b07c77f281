import { expect, test } from 'vitest';

import { testContext } from '../testing/context.ts';
import { gadget } from '../testing/gadget.ts';
import { elsewhere } from './elsewhere.ts';
import type { AnyEntity } from './entity.ts';
import { message } from './message.ts';
import type { Plan } from './plan.ts';

const context = testContext();
const { id: own } = context.organization;
const placed: AnyEntity = {
  ...(gadget as AnyEntity),
  id: (item) => (item as Item).id,
  belongsTo: (item) => ({ id: (item as Item).in, name: `The ${(item as Item).in}` }),
};

interface Item {
  readonly id: string;
  readonly in: string;
}

const items = (...places: readonly string[]): readonly Item[] =>
  places.map((place, at) => ({ id: `${at}`, in: place }));

function said(all: readonly Item[], changing: readonly Item[] = [], of = placed) {
  const changes = changing.map(({ id }) => ({ id, label: id, field: message('gadget:fields.mode') }));
  const plan: Plan = { summary: message('gadget:tune'), count: 1, changes, reversible: true };
  return elsewhere(of, all, plan, context).map(({ key, values }) => [key, values]);
}

test('nothing is said of items of the organization on the screen, nor of those that belong to none', () => {
  expect(said(items(own, own))).toEqual([]);
  expect(said(items('north', 'north'), [], gadget as AnyEntity)).toEqual([]);
});

test('of the items that change, it says how many belong to which other organization, most first', () => {
  const all = items(own, 'north', 'east', 'east', 'north', 'north');
  expect(said(all)).toEqual([
    ['common:plan.elsewhere', { count: 3, organization: 'The north' }],
    ['common:plan.elsewhere', { count: 2, organization: 'The east' }],
  ]);
  expect(said(all, all.slice(0, 3))).toEqual([
    ['common:plan.elsewhere', { count: 1, organization: 'The north' }],
    ['common:plan.elsewhere', { count: 1, organization: 'The east' }],
  ]);
  expect(said(all, all.slice(2, 4))).toEqual([['common:plan.elsewhereAll', { count: 2, organization: 'The east' }]]);
});

test('of many organizations, the greatest two are named', () => {
  expect(said(items('a', 'a', 'b', 'b', 'b', 'c', 'd', own))).toEqual([
    ['common:plan.elsewhere', { count: 3, organization: 'The b' }],
    ['common:plan.elsewhere', { count: 2, organization: 'The a' }],
    ['common:plan.elsewhereMore', { count: 2, organizations: 2 }],
  ]);
});

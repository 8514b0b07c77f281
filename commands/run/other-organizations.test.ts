import { expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import type { Plan } from '#commands/model/plan.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { otherOrganizationNotes } from './other-organizations.ts';

const context = testContext();
const { id: currentId } = context.organization;
const ownedGadget: AnyEntity = {
  ...(gadget as AnyEntity),
  id: (item) => (item as Item).id,
  belongsTo: (item) => ({ id: (item as Item).owner, name: `The ${(item as Item).owner}` }),
};

interface Item {
  readonly id: string;
  readonly owner: string;
}

const items = (...owners: readonly string[]): readonly Item[] =>
  owners.map((owner, index) => ({ id: `${index}`, owner }));

function notesFor(allItems: readonly Item[], changedItems: readonly Item[] = [], entity = ownedGadget) {
  const changes = changedItems.map(({ id }) => ({ id, label: id, field: message('gadget:fields.mode') }));
  const plan: Plan = { summary: message('gadget:tune'), count: 1, changes, reversible: true };
  return otherOrganizationNotes(entity, allItems, plan, context).map(({ key, values }) => [key, values]);
}

test('adds no notes for items in the current organization or without an organization', () => {
  expect(notesFor(items(currentId, currentId))).toEqual([]);
  expect(notesFor(items('north', 'north'), [], gadget as AnyEntity)).toEqual([]);
});

test('counts the changing items in each other organization, with the highest count first', () => {
  const allItems = items(currentId, 'north', 'east', 'east', 'north', 'north');
  expect(notesFor(allItems)).toEqual([
    ['common:plan.elsewhere', { count: 3, organization: 'The north' }],
    ['common:plan.elsewhere', { count: 2, organization: 'The east' }],
  ]);
  expect(notesFor(allItems, allItems.slice(0, 3))).toEqual([
    ['common:plan.elsewhere', { count: 1, organization: 'The north' }],
    ['common:plan.elsewhere', { count: 1, organization: 'The east' }],
  ]);
  expect(notesFor(allItems, allItems.slice(2, 4))).toEqual([
    ['common:plan.elsewhereAll', { count: 2, organization: 'The east' }],
  ]);
});

test('names only the two organizations with the most items if there are more than three', () => {
  expect(notesFor(items('a', 'a', 'b', 'b', 'b', 'c', 'd', currentId))).toEqual([
    ['common:plan.elsewhere', { count: 3, organization: 'The b' }],
    ['common:plan.elsewhere', { count: 2, organization: 'The a' }],
    ['common:plan.elsewhereMore', { count: 2, organizations: 2 }],
  ]);
});

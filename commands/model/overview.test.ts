import { expect, test } from 'vitest';

import type { DetailField, TagLabel } from './column.ts';
import { DETAIL_GROUPS } from './detail-groups.ts';
import { createOverview } from './overview.ts';

interface Kettle {
  readonly name: string;
  readonly scale?: string;
  readonly boiledAt?: number;
  readonly empty: boolean;
}

const details: readonly DetailField<Kettle>[] = [
  { id: 'name', kind: 'text', group: 'identity', value: ({ name }) => name },
  { id: 'scale', kind: 'text', group: 'hardware', value: ({ scale }) => scale },
  { id: 'on', kind: 'status', group: 'state', value: () => 'On' },
  {
    id: 'boiled',
    kind: 'time',
    group: 'use',
    value: () => undefined,
    time: ({ boiledAt }) => boiledAt,
    level: ({ boiledAt = 0 }, now = 0) => (now - boiledAt > 1000 ? 'warning' : 'none'),
  },
  { id: 'water', kind: 'text', group: 'use', value: () => 'Water', level: ({ empty }) => (empty ? 'error' : 'ok') },
];

const outline = (kettle: Kettle, now = 0) => {
  const { groups, unsetDetails } = createOverview(details, kettle, now);
  const ids = (fields: typeof unsetDetails) => fields.map(({ id }) => id);
  return [...groups.map(({ group, details: groupDetails }) => [group, ...ids(groupDetails)]), ids(unsetDetails)];
};

test('orders groups, omits the heading fields, and separates unset fields', () => {
  expect(outline({ name: 'Blue', scale: 'none', boiledAt: 1, empty: false })).toEqual([
    ['state', 'on'],
    ['use', 'boiled', 'water'],
    ['hardware', 'scale'],
    [],
  ]);
  expect(outline({ name: '', empty: false })).toEqual([
    ['state', 'on'],
    ['use', 'water'],
    ['name', 'scale', 'boiled'],
  ]);
});

test('lists problems before the other fields, the worst first, instead of in their own group', () => {
  expect(outline({ name: 'Blue', boiledAt: 1, empty: true }, 5000)).toEqual([
    ['state', 'water', 'boiled', 'on'],
    ['scale'],
  ]);
});

test('treats a tags field without tags as unset', () => {
  const tagsField = (tags: readonly TagLabel[]): DetailField<Kettle> => ({
    id: 'tags',
    kind: 'tags',
    value: () => undefined,
    tags: () => tags,
  });
  const unsetCount = (tags: readonly TagLabel[]) =>
    createOverview([tagsField(tags)], { name: '', empty: false }, 0).unsetDetails.length;
  expect([unsetCount([]), unsetCount([{ id: '1', name: 'Needs visit' }])]).toEqual([1, 0]);
});

test('shows all groups in the declared order, with ungrouped fields in the last group', () => {
  const detailIn = (group?: DetailField<Kettle>['group']): DetailField<Kettle> => ({
    id: group ?? 'other',
    kind: 'text',
    value: () => 'x',
    ...(group ? { group } : {}),
  });
  const fields = [detailIn(), ...DETAIL_GROUPS.toReversed().map(detailIn)];
  const { groups } = createOverview(fields, { name: '', empty: false }, 0);
  expect(groups.map(({ group, details: groupDetails }) => [group, ...groupDetails.map(({ id }) => id)])).toEqual([
    ['state', 'state'],
    ['reporting', 'reporting'],
    ['place', 'place'],
    ['delivery', 'delivery'],
    ['events', 'events'],
    ['owner', 'owner'],
    ['access', 'access'],
    ['use', 'use'],
    ['hardware', 'hardware'],
    ['contact', 'contact'],
    ['billing', 'billing'],
    ['period', 'period'],
    ['notes', 'notes'],
    ['about', 'other', 'about'],
  ]);
});

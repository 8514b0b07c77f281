import { expect, test } from 'vitest';

import type { Change } from '#commands/model/plan.ts';
import { message } from '#commands/text/message.ts';

import { distribution, hasRepeatedChanges } from './distribution.ts';

const field = message('device:fields.lifecycle');
let nextId = 0;
const change = (parts: Partial<Change>): Change => ({ id: `${nextId++}`, label: 'x', field: { ...field }, ...parts });
const changesFor = (count: number, partsAt: (index: number) => Partial<Change>) =>
  Array.from({ length: count }, (_, index) => partsAt(index));
const times = (count: number, parts: Partial<Change>) => Array.from({ length: count }, () => change(parts));

test('groups identical changes, most frequent first', () => {
  const paused = message('device:lifecycle.PAUSED');
  const changes = [
    ...times(2, { before: message('device:lifecycle.SPARE'), after: paused }),
    ...times(5, { before: message('device:lifecycle.INSTALLED'), after: { ...paused } }),
    ...times(1, { field: message('device:fields.notes'), before: undefined, after: 'x' }),
    ...times(1, { before: message('device:lifecycle.SPARE'), after: paused }),
  ];
  const fields = distribution(changes);
  expect(fields.map((field) => [field.field.key, field.count])).toEqual([
    ['device:fields.lifecycle', 8],
    ['device:fields.notes', 1],
  ]);
  expect(fields[0]?.groups.map((group) => [group.change.before, group.count])).toEqual([
    [message('device:lifecycle.INSTALLED'), 5],
    [message('device:lifecycle.SPARE'), 3],
  ]);
});

test('groups by the new value if old values vary widely', () => {
  const dates = Array.from({ length: 120 }, (_, day) => change({ before: `day ${day}`, after: 'today' }));
  const [replaced] = distribution([...dates, ...times(2, { before: undefined, after: 'today' })]);
  expect(replaced?.groups.map(({ count, change: { before, after } }) => [count, before, after])).toEqual([
    [122, message('common:plan.various'), 'today'],
  ]);
});

test.each<[string, readonly Partial<Change>[], number]>([
  ['keeps 100 groups', changesFor(100, (index) => ({ before: `${index}`, after: 'x' })), 100],
  ['merges more groups with the same new value', changesFor(101, (index) => ({ before: `${index}`, after: 'x' })), 1],
  [
    'merges more groups into 100 new values',
    changesFor(101, (index) => ({ before: `${index}`, after: `${index % 100}` })),
    100,
  ],
  [
    'merges nothing if there are too many new values',
    changesFor(101, (index) => ({ before: `${index}`, after: `b${index}` })),
    101,
  ],
  ['keeps groups that differ in removals', changesFor(101, (index) => ({ added: ['x'], removed: [`${index}`] })), 101],
  ['keeps groups that differ in additions', changesFor(101, (index) => ({ added: [`${index}`], removed: ['x'] })), 101],
])('%s when grouping many changes', (_, parts, count) => {
  const [{ groups } = { groups: [] }] = distribution(parts.map(change));
  expect(groups).toHaveLength(count);
  const isMerged = groups.every(({ change: { before } }) => typeof before === 'object');
  expect(isMerged).toBe(count < parts.length);
});

test('groups empty values, additions, and removals separately', () => {
  const parts = [
    { before: undefined, after: 'a' },
    { before: undefined, after: 'b' },
    { before: 'a', after: undefined },
    { before: 'b', after: 'a' },
    { added: ['a'] },
    { added: ['b'] },
    { removed: ['a'] },
    { removed: ['b'] },
    { added: ['a'], removed: ['b'] },
  ];
  const fields = distribution(parts.flatMap((part) => times(2, part)));
  expect(fields[0]?.groups.map(({ count }) => count)).toEqual(parts.map(() => 2));
});

test('detects repeated changes', () => {
  const isRepeated = (changes: readonly Change[]) => hasRepeatedChanges(distribution(changes));
  const distinct = (count: number) =>
    Array.from({ length: count }, (_, index) => change({ before: `${index}`, after: 'x' }));
  expect([isRepeated([]), isRepeated(times(1, { after: 'x' })), isRepeated(times(2, { after: 'x' }))]).toEqual([
    false,
    false,
    true,
  ]);
  expect([isRepeated(distinct(4)), isRepeated([...distinct(2), ...times(2, { after: 'y' })])]).toEqual([false, false]);
});

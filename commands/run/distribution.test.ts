import { expect, test } from 'vitest';

import type { Change } from '#commands/model/plan.ts';
import { message } from '#commands/text/message.ts';

import { distribution, isCommon } from './distribution.ts';

const field = message('device:fields.lifecycle');
let made = 0;
const change = (more: Partial<Change>): Change => ({ id: `${made++}`, label: 'x', field: { ...field }, ...more });
const numbered = (count: number, way: (at: number) => Partial<Change>) =>
  Array.from({ length: count }, (_, index) => way(index));
const times = (count: number, more: Partial<Change>) => Array.from({ length: count }, () => change(more));

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
  ['lists up to 100 one by one', numbered(100, (at) => ({ before: `${at}`, after: 'x' })), 100],
  ['of more only what they get', numbered(101, (at) => ({ before: `${at}`, after: 'x' })), 1],
  [
    'of more that get 100 values what they get',
    numbered(101, (at) => ({ before: `${at}`, after: `${at % 100}` })),
    100,
  ],
  ['those that get as many values one by one', numbered(101, (at) => ({ before: `${at}`, after: `b${at}` })), 101],
  ['keeps added values beside removed ones', numbered(101, (at) => ({ added: ['x'], removed: [`${at}`] })), 101],
  ['keeps removed values beside added ones', numbered(101, (at) => ({ added: [`${at}`], removed: ['x'] })), 101],
])('grouping many changes: %s', (_, ways, count) => {
  const [{ groups } = { groups: [] }] = distribution(ways.map((way) => change(way)));
  expect(groups).toHaveLength(count);
  const various = groups.every(({ change: { before } }) => typeof before === 'object');
  expect(various).toBe(count < ways.length);
});

test('groups empty values, additions and removals separately', () => {
  const ways = [
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
  const fields = distribution(ways.flatMap((way) => times(2, way)));
  expect(fields[0]?.groups.map(({ count }) => count)).toEqual(ways.map(() => 2));
});

test('a distribution is common only if changes repeat', () => {
  const common = (changes: readonly Change[]) => isCommon(distribution(changes));
  const each = (count: number) =>
    Array.from({ length: count }, (_, index) => change({ before: `${index}`, after: 'x' }));
  expect([common([]), common(times(1, { after: 'x' })), common(times(2, { after: 'x' }))]).toEqual([
    false,
    false,
    true,
  ]);
  expect([common(each(4)), common([...each(2), ...times(2, { after: 'y' })])]).toEqual([false, false]);
});

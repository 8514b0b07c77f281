import { expect, test } from 'vitest';

import { distribution, isCommon } from './distribution.ts';
import { message } from '#commands/text/message.ts';
import type { Change } from '#commands/model/plan.ts';

const field = message('device:fields.lifecycle');
let made = 0;
const change = (more: Partial<Change>): Change => ({ id: `${made++}`, label: 'x', field: { ...field }, ...more });
const times = (count: number, more: Partial<Change>) => Array.from({ length: count }, () => change(more));

test('items that change alike are counted, the most frequent way first', () => {
  const paused = message('device:lifecycle.PAUSED');
  const changes = [
    ...times(2, { before: message('device:lifecycle.SPARE'), after: paused }),
    ...times(5, { before: message('device:lifecycle.INSTALLED'), after: { ...paused } }),
    ...times(1, { field: message('device:fields.notes'), before: undefined, after: 'x' }),
    ...times(1, { before: message('device:lifecycle.SPARE'), after: paused }),
  ];
  const fields = distribution(changes);
  expect(fields.map((each) => [each.field.key, each.count])).toEqual([
    ['device:fields.lifecycle', 8],
    ['device:fields.notes', 1],
  ]);
  expect(fields[0]?.groups.map((group) => [group.change.before, group.count])).toEqual([
    [message('device:lifecycle.INSTALLED'), 5],
    [message('device:lifecycle.SPARE'), 3],
  ]);
});

test('where items had many values before, what they get is counted', () => {
  const dates = Array.from({ length: 120 }, (_, day) => change({ before: `day ${day}`, after: 'today' }));
  const [replaced] = distribution([...dates, ...times(2, { before: undefined, after: 'today' })]);
  expect(replaced?.groups.map(({ count, change: { before, after } }) => [count, before, after])).toEqual([
    [122, message('common:plan.various'), 'today'],
  ]);
  const apart = Array.from({ length: 120 }, (_, name) => change({ before: `a${name}`, after: `b${name}` }));
  expect(distribution(apart)[0]?.groups).toHaveLength(120);
});

test('an empty value, and what joins or leaves a list, are ways of their own', () => {
  const ways = [
    { before: undefined, after: 'a' },
    { before: 'a', after: undefined },
    { added: ['a'] },
    { removed: ['a'] },
    { added: ['a'], removed: ['b'] },
  ];
  const fields = distribution(ways.flatMap((way) => times(2, way)));
  expect(fields[0]?.groups.map(({ count }) => count)).toEqual([2, 2, 2, 2, 2]);
});

test('it says more than examples only where items have something in common', () => {
  const common = (changes: readonly Change[]) => isCommon(distribution(changes));
  const each = (count: number) => Array.from({ length: count }, (_, at) => change({ before: `${at}`, after: 'x' }));
  expect([common([]), common(times(1, { after: 'x' })), common(times(2, { after: 'x' }))]).toEqual([
    false,
    false,
    true,
  ]);
  expect([common(each(4)), common([...each(2), ...times(2, { after: 'y' })])]).toEqual([false, false]);
});

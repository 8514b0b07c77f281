import { expect, test } from 'vitest';

import { mapDefinition } from './definition-map.ts';
import { isWithin, leafRanges, segmentRows } from './segments.ts';

const ranges = [
  { path: 'frame', start: 0, end: 1 },
  { path: 'position', start: 1, end: 5 },
  { path: 'position.x', start: 1, end: 3 },
  { path: 'position.y', start: 3, end: 5 },
  { path: 'low', start: 5, end: 6 },
  { path: 'high', start: 5, end: 6 },
];

test('a range around others is not a leaf', () => {
  expect(leafRanges(ranges).map(({ path }) => path)).toEqual(['frame', 'position.x', 'position.y', 'low', 'high']);
});

test('a field that spans two rows continues in the second', () => {
  const rows = segmentRows(8, ranges, 4).map((row) =>
    row.map(({ paths, start, end, continues }) => [paths.join(), start, end, continues]),
  );
  expect(rows).toEqual([
    [
      ['frame', 0, 1, false],
      ['position.x', 1, 3, false],
      ['position.y', 3, 4, false],
    ],
    [
      ['position.y', 4, 5, true],
      ['low,high', 5, 6, false],
      ['', 6, 8, false],
    ],
  ]);
});

test('the byte at which the definition fails stands alone', () => {
  const rows = segmentRows(10, [], 8, 8).map((row) => row.map(({ start, end }) => [start, end]));
  expect(rows).toEqual([
    [[0, 8]],
    [
      [8, 9],
      [9, 10],
    ],
  ]);
  expect(segmentRows(4, [], 8, 2)[0]?.map(({ start }) => start)).toEqual([0, 2, 3]);
});

test('a range is cut off at the end of the message', () => {
  expect(segmentRows(1, [{ path: 'a', start: 0, end: 9 }], 8)).toHaveLength(1);
});

test('a path is within its parents', () => {
  expect([isWithin('a.b', 'a'), isWithin('a[0]', 'a'), isWithin('ab', 'a')]).toEqual([true, true, false]);
});

const DEFINITION = `meta:
  id: m
seq:
  - id: frame
    type: u1
  - id: position
    type: point
    repeat: eos
instances:
  double:
    value: frame * 2 + frame
types:
  point:
    seq:
      - id: x
        type: u2
      - id: y
        type: u2
`;

test('finds the lines of a field', () => {
  const map = mapDefinition(DEFINITION);
  expect(map.field('frame')).toMatchObject({ lines: { from: 4, to: 5 }, type: 'u1' });
  expect(map.field('position[3].y')).toMatchObject({ lines: { from: 17, to: 18 }, type: 'u2' });
  expect(map.field('double')).toMatchObject({ lines: { from: 10, to: 11 }, sources: ['frame'] });
  expect(map.field('nope')).toBeUndefined();
});

test.each(['', 'seq', 'seq: [', 'seq:\n  - id', '- a\n- b', 'seq: *x', '\t'])(
  'finds no field in the unfinished definition %j',
  (text) => {
    expect(mapDefinition(text).field('a.b')).toBeUndefined();
  },
);

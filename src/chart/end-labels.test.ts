import { expect, test } from 'vitest';

import { createLines } from './chart-lanes.ts';
import { endLabels } from './end-labels.ts';

const line = (field: string, value: number) =>
  createLines(
    { field, name: field, unit: 'bar', isNumeric: true, isOperational: false, isEncrypted: false },
    0,
    [{ field, unit: 'bar', points: [{ time: 0, value, text: `${value}` }] }],
    undefined,
    undefined,
  )[0]!;

const place = (...values: readonly number[]) => {
  const lines = values.map((value) => line(`${value}`, value));
  return endLabels({ unit: 'bar', lines, scale: [0, 100] }, 100).map(({ line: { field }, top }) => [field, top]);
};

test('places a name at the newest value of its line', () => {
  expect(place(50, 20)).toEqual([
    ['50', 50],
    ['20', 80],
  ]);
});

test('never overlaps names', () => {
  expect(place(51, 50, 49)).toEqual([
    ['51', 49],
    ['50', 64],
    ['49', 79],
  ]);
});

test('keeps names inside the lane', () => {
  expect(place(100, 0, 1)).toEqual([
    ['100', 7.5],
    ['1', 77.5],
    ['0', 92.5],
  ]);
});

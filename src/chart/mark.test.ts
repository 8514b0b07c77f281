import { expect, test } from 'vitest';

import { createLines } from './chart-lanes.ts';
import { differenceText, elapsedText } from './mark.ts';

const MINUTE = 60_000;
const point = (minute: number, text: string) => ({ time: minute * MINUTE, value: Number(text), text });
const lineOf = (isNumeric: boolean, ...points: readonly ReturnType<typeof point>[]) =>
  createLines(
    { field: 'level', name: 'Level', unit: 'm', isNumeric, isOperational: false, isEncrypted: false },
    0,
    [{ field: 'level', unit: 'm', points }],
    undefined,
    undefined,
  )[0]!;
const level = lineOf(true, point(0, '1.5'), point(10, '1.25'), point(20, '1.50'), point(30, '12'), point(40, '12.004'));

test.each([
  ['a higher value', 3, 0, '+10.5'],
  ['a lower value, with the decimals of both', 1, 0, '-0.25'],
  ['the same value', 2, 0, '0.00'],
  ['an earlier value', 0, 30, '-10.5'],
  ['the value at the mark itself', 3, 30, '0'],
  ['more decimals than the mark has', 4, 30, '+0.004'],
])('shows the difference to %s', (_case, index, mark, expected) => {
  expect(differenceText(level, level.series.points[index], mark * MINUTE)).toBe(expected);
});

test('shows no difference for a text, or without a value at the mark', () => {
  const newest = level.series.points.at(-1);
  expect(differenceText(level, newest, -MINUTE)).toBeUndefined();
  expect(differenceText(level, undefined, 0)).toBeUndefined();
  expect(differenceText(lineOf(false, point(0, 'open')), point(0, 'open'), 0)).toBeUndefined();
});

test('shows the time since or before the mark', () => {
  expect(elapsedText(534 * MINUTE, 0)).toBe('+8 h 54 m');
  expect(elapsedText(0, 5 * MINUTE)).toBe('-5 m');
  expect(elapsedText(7, 7)).toBe('+0 s');
});

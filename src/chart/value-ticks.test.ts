import { expect, test } from 'vitest';

import { tickText, valueTicks } from './value-ticks.ts';

test('labels up to four round values', () => {
  expect(valueTicks(74.9, 78.9, 9)).toEqual([75, 76, 77, 78]);
  expect(valueTicks(74.6, 79.1, 9)).toEqual([76, 78]);
  expect(valueTicks(-5, 105, 9)).toEqual([0, 50, 100]);
});

test('labels fewer values in a low lane', () => {
  expect(valueTicks(74.9, 78.9, 3)).toEqual([76, 78]);
});

test('labels fractions exactly', () => {
  expect(valueTicks(0.05, 0.35, 9)).toEqual([0.1, 0.2, 0.3]);
});

test('labels the largest numbers', () => {
  expect(valueTicks(-Number.MAX_VALUE, Number.MAX_VALUE, 9)).toEqual([-1e308, 0, 1e308]);
  expect(valueTicks(1.7e308, Number.MAX_VALUE, 3)).toEqual([1.7e308, 1.75e308]);
});

test.each([
  [0, '0'],
  [-0.25, '-0.25'],
  [1_500_000, '1500000'],
  [15_000_000, '1.5e7'],
  [2e19, '2e19'],
  [-1e308, '-1e308'],
  [2.5e-7, '2.5e-7'],
  // An exponent would be longer, and fewer digits would be the same for two ticks.
  [1_000_000.5, '1000000.5'],
])('labels %d as %s', (value, text) => {
  expect(tickText(value)).toBe(text);
});

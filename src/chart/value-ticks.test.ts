import { expect, test } from 'vitest';

import { valueTicks } from './value-ticks.ts';

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

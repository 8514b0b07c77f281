import { expect, test } from 'vitest';

import type { Row } from './bench.ts';
import { scaleBudget, slowness, timeCounting } from './calibration.ts';

const row: Row = { name: 'a list vs 40 ms', unit: 'ms', value: 50, baseline: 40, target: 1 };

test('a machine half as fast doubles the budgets, and one slow run does not count', () => {
  expect(slowness([168, 168, 900])).toBe(2);
});

test('a machine faster than the reference keeps the budgets', () => {
  expect(slowness([40, 42, 44])).toBe(1);
});

test('only budgets for work grow on a slow machine', () => {
  expect(scaleBudget({ ...row, isWorkBudget: true }, 2.5)).toMatchObject({ value: 50, baseline: 100, target: 1 });
  expect(scaleBudget(row, 2.5)).toEqual(row);
});

test('counting takes processor time each time', () => {
  expect(timeCounting().every((time) => time > 0)).toBe(true);
});

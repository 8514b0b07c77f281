import { expect, test } from 'vitest';

import { timeSteps } from './time-axis.ts';

const YEAR = 365 * 86_400_000;
/** The number of labels that fit into the narrowest chart. */
const MIN_LABELS = 3;

test.each([201, 900, 2500, 8000, 10_000])('has a step whose labels fit for %d years', (years) => {
  const span = { from: 0, to: years * YEAR };
  const counts = (timeSteps(span) ?? []).map((step) => span.to / step);
  expect(Math.min(...counts)).toBeLessThanOrEqual(MIN_LABELS);
  expect(Math.max(...counts)).toBeGreaterThan(MIN_LABELS);
});

test('leaves shorter periods to the library', () => {
  expect(timeSteps({ from: 0, to: 100 * YEAR })).toBeUndefined();
});

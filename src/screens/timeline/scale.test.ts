import { expect, test } from 'vitest';

import { positionOf, scaleOf } from './scale.ts';

const DAY = 86_400_000;
const now = new Date(2026, 10, 27, 12).getTime();

test.each([0, 1, 9, 20, 45, 100, 300, 700, 2000, 8000])('has a few ticks for %i days', (days) => {
  const { from, to, ticks } = scaleOf([now - days * DAY], now, 'en');
  expect(ticks.length).toBeGreaterThan(2);
  expect(ticks.length).toBeLessThanOrEqual(9);
  expect(ticks.every(({ at }) => at >= from && at < to)).toBe(true);
});

test('names the year of the first tick and of each January', () => {
  const labels = scaleOf([now - 300 * DAY], now, 'en').ticks.map(({ label }) => label);
  expect(labels[0]).toBe('Mar 2026');
  expect(labels.slice(1).every((label) => !label.includes('2026'))).toBe(true);
});

test('keeps positions within the axis', () => {
  const scale = scaleOf([], now, 'en');
  expect(positionOf(scale.from - DAY, scale)).toBe(0);
  expect(positionOf(scale.to + DAY, scale)).toBe(100);
  expect(positionOf(now, scale)).toBeGreaterThan(95);
});

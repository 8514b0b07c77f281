import { describe, expect, test } from 'vitest';

import { computeFullRange, lastDays, panRange, positionOf, reveal, createScale, zoomRange } from './scale.ts';

const DAY = 86_400_000;
const now = new Date(2026, 10, 27, 12).getTime();

test.each([0, 1, 9, 20, 45, 100, 300, 700, 2000, 8000])('has a few ticks for %i days', (days) => {
  const { from, to, ticks } = createScale(computeFullRange([now - days * DAY], now), 'en');
  expect(ticks.length).toBeGreaterThan(2);
  expect(ticks.length).toBeLessThanOrEqual(9);
  expect(ticks.every(({ at }) => at >= from && at < to)).toBe(true);
});

test('labels the first tick and each January with the year', () => {
  const labels = createScale(computeFullRange([now - 300 * DAY], now), 'en').ticks.map(({ label }) => label);
  expect(labels[0]).toBe('Mar 2026');
  expect(labels.slice(1).every((label) => !label.includes('2026'))).toBe(true);
});

test('keeps positions within the axis', () => {
  const scale = createScale(computeFullRange([], now), 'en');
  expect(positionOf(scale.from - DAY, scale)).toBe(0);
  expect(positionOf(scale.to + DAY, scale)).toBe(100);
  expect(positionOf(now, scale)).toBeGreaterThan(95);
});

describe('zooming', () => {
  const fullRange = computeFullRange([now - 400 * DAY], now);
  const lengthInDays = ({ from, to }: { readonly from: number; readonly to: number }) => (to - from) / DAY;

  test('halves the range and keeps a time in its place', () => {
    const at = now - 100 * DAY;
    const zoomed = zoomRange(fullRange, fullRange, 1, at)!;
    expect(lengthInDays(zoomed)).toBeCloseTo(lengthInDays(fullRange) / 2);
    expect(positionOf(at, zoomed)).toBeCloseTo(positionOf(at, fullRange));
  });

  test('stays within the full range', () => {
    const zoomed = zoomRange(fullRange, fullRange, 1, now)!;
    expect(zoomed.to).toBeLessThanOrEqual(fullRange.to);
    expect(panRange(zoomed, fullRange, 5).to).toBeCloseTo(fullRange.to);
    expect(panRange(zoomed, fullRange, -5).from).toBeCloseTo(fullRange.from);
  });

  test('shows everything again after zooming out', () => {
    expect(zoomRange(zoomRange(fullRange, fullRange, 1, now)!, fullRange, -1, now)).toBeUndefined();
  });

  test('shows at least three days', () => {
    expect(lengthInDays(zoomRange(lastDays(4, now), fullRange, 1, now)!)).toBeCloseTo(3);
  });

  test('moves to a period that is not visible', () => {
    const range = lastDays(7, now);
    expect(reveal(range, fullRange, { since: now - 300 * DAY, until: undefined })).toBe(range);
    const past = { since: now - 300 * DAY, until: now - 200 * DAY };
    expect(positionOf(past.until, reveal(range, fullRange, past))).toBeCloseTo(50);
  });
});

import { array, assert, constantFrom, integer, property, tuple, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  fractionAbove,
  gapLimit,
  gapsBetween,
  hourlyValues,
  indexAt,
  mergeTimes,
  stepTime,
  summarize,
  valueScale,
  zoomSpan,
} from './value-series.ts';

const HOUR = 3_600_000;
const points = (...values: readonly (readonly [time: number, value: number])[]) =>
  values.map(([time, value]) => ({ time, value, text: `${value}` }));
const sortedTimes = uniqueArray(integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 30 }).map((times) =>
  times.toSorted((a, b) => a - b),
);

describe('gaps', () => {
  test('are silences of more than three intervals', () => {
    const times = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 210];
    expect(gapsBetween(times, gapLimit(times))).toEqual([{ from: 100, to: 200 }]);
  });

  test('depend on the expected interval if it is longer', () => {
    const times = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 210];
    expect(gapsBetween(times, gapLimit(times, 40))).toEqual([]);
  });

  test("don't occur with fewer than three values", () => {
    expect([[], [5], [5, 5000]].flatMap((times) => gapsBetween(times, gapLimit(times)))).toEqual([]);
  });
});

test('a sparkline has the last value of each hour', () => {
  const now = 30 * HOUR;
  const values = hourlyValues(points([now - 25 * HOUR, 1], [now - 90, 3], [now - 80, 4], [now - 2 * HOUR - 1, 2]), now);
  expect(values).toHaveLength(24);
  expect(values.flatMap((value, hour) => (value === undefined ? [] : [[hour, value]]))).toEqual([
    [21, 2],
    [23, 4],
  ]);
});

test('a summary has the ends and the extremes', () => {
  expect(summarize([])).toBeUndefined();
  expect(summarize(points([1, 3], [2, 9], [3, -1], [4, 5]))).toEqual({
    first: { time: 1, value: 3, text: '3' },
    last: { time: 4, value: 5, text: '5' },
    lowest: { time: 3, value: -1, text: '-1' },
    highest: { time: 2, value: 9, text: '9' },
  });
});

test('merged times are sorted and unique', () => {
  assert(
    property(array(sortedTimes), (lists) => {
      const mergedTimes = mergeTimes(lists);
      expect(mergedTimes).toEqual([...new Set(lists.flat())].toSorted((a, b) => a - b));
    }),
  );
});

describe('the crosshair', () => {
  test('finds the value at a time', () => {
    assert(
      property(sortedTimes, integer({ min: -10, max: 100_010 }), (times, time) => {
        expect(indexAt(times, time)).toBe(times.findLastIndex((value) => value <= time));
      }),
    );
  });

  test('starts at the last value', () => {
    expect(stepTime([1, 2, 3], undefined, 1)).toBe(3);
    expect(stepTime([1, 2, 3], undefined, -1)).toBe(2);
    expect(stepTime([], undefined, 1)).toBeUndefined();
  });

  test('moves to the neighboring values, even from between two values', () => {
    expect([stepTime([10, 20, 30], 20, 1), stepTime([10, 20, 30], 20, -1)]).toEqual([30, 10]);
    expect([stepTime([10, 20, 30], 25, 1), stepTime([10, 20, 30], 25, -1)]).toEqual([30, 20]);
  });

  test('stays on a value', () => {
    assert(
      property(sortedTimes, integer({ min: -10, max: 100_010 }), constantFrom(1, -1, 10, -10), (times, time, count) => {
        expect(times).toContain(stepTime(times, time, count));
      }),
    );
  });
});

describe('zooming', () => {
  const bounds = { from: 0, to: 100 * HOUR };

  test('stays within the range, around the center', () => {
    assert(
      property(array(tuple(constantFrom(1, -1), integer({ min: 0, max: 100 * HOUR })), { maxLength: 12 }), (steps) => {
        let span = bounds;
        for (const [direction, center] of steps) {
          span = zoomSpan(span, direction, center, bounds) ?? bounds;
          expect(span.from).toBeGreaterThanOrEqual(bounds.from);
          expect(span.to).toBeLessThanOrEqual(bounds.to);
          expect(span.to - span.from).toBeGreaterThanOrEqual(60_000);
        }
      }),
    );
  });

  test('halves the range and returns to the full range', () => {
    const half = zoomSpan(bounds, 1, 50 * HOUR, bounds);
    expect(half).toEqual({ from: 25 * HOUR, to: 75 * HOUR });
    expect(zoomSpan(half ?? bounds, -1, 50 * HOUR, bounds)).toBeUndefined();
  });
});

test('the scale leaves a margin, even for constant values', () => {
  expect(valueScale([0, 100])).toEqual([-8, 108]);
  expect(valueScale([20])).toEqual([19, 21]);
  expect(valueScale([0])).toEqual([-1, 1]);
  expect(valueScale([])).toEqual([0, 1]);
});

test.each([
  [1.7e308, -1.7e308],
  [Number.MAX_VALUE, -Number.MAX_VALUE],
  [Number.MAX_VALUE, Number.MAX_VALUE],
  [-Number.MAX_VALUE, -Number.MAX_VALUE],
  [Number.MAX_VALUE, 1e300],
])('the scale of %d and %d is finite and has room for both', (...values) => {
  const scale = valueScale(values);
  expect(scale.every(Number.isFinite)).toBe(true);
  expect(scale[0]).toBeLessThan(scale[1]);
  for (const value of values) {
    expect(fractionAbove(value, scale)).toBeGreaterThanOrEqual(0);
    expect(fractionAbove(value, scale)).toBeLessThanOrEqual(1);
  }
});

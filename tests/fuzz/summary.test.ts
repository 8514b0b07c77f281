import { expect, test } from 'vitest';

import { maxStealMs, parseStealTime } from './steal-time.ts';
import { findSlowProbes } from './summary.ts';

const sample = (milliseconds: number, code = 0, stealMs = 0) => ({
  path: '/a.B/C',
  milliseconds,
  code,
  endedAt: 10_000,
  stealMs,
});

test('does not count the time when the machine was stalled as part of a slow probe', () => {
  const stalls = [
    { from: 9000, to: 9800 },
    { from: 9900, to: 9950 },
    { from: 9990, to: 10_500 },
  ];
  // Of the last 300 ms, 100, 50, and 10 were stalls.
  expect(findSlowProbes([sample(300)], stalls, 139)).toHaveLength(1);
  expect(findSlowProbes([sample(300)], stalls, 140)).toHaveLength(0);
  expect(findSlowProbes([sample(300)], [], 299)).toHaveLength(1);
  // The host took 170 of the 300 ms, which may overlap with the stalls.
  expect(findSlowProbes([sample(300, 0, 170)], stalls, 129)).toHaveLength(1);
  expect(findSlowProbes([sample(300, 0, 170)], stalls, 130)).toHaveLength(0);
  expect(findSlowProbes([sample(1, 13)], stalls, 250)).toHaveLength(1);
  expect(findSlowProbes([sample(300)], [], 0)).toHaveLength(0);
});

test('counts the processor with the most stolen time', () => {
  const stat = (first: number, second: number) =>
    `cpu  1 2 3 4 5 6 7 ${first + second} 0 0\ncpu0 1 2 3 4 5 6 7 ${first} 0 0\ncpu1 1 2 3 4 5 6 7 ${second} 0 0\nintr 5\n`;
  expect(parseStealTime(stat(12, 30))).toEqual([12, 30]);
  expect(maxStealMs(parseStealTime(stat(12, 30)), parseStealTime(stat(15, 37)))).toBe(70);
  expect(maxStealMs([], parseStealTime(stat(1, 2)))).toBe(0);
  expect(maxStealMs([], [])).toBe(0);
});

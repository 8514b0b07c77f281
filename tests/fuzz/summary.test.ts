import { expect, it } from 'vitest';
import { slowProbes } from './summary.ts';

const sample = (milliseconds: number, code = 0) => ({ path: '/a.B/C', milliseconds, code, at: 10_000 });

it('calls of somebody else are slow without the time in which the machine did not let the server run', () => {
  const stalls = [
    { from: 9_000, to: 9_800 },
    { from: 9_900, to: 9_950 },
    { from: 9_990, to: 10_500 },
  ];
  // Of the last 300 ms, 100, 50 and 10 were stalls.
  expect(slowProbes([sample(300)], stalls, 139)).toHaveLength(1);
  expect(slowProbes([sample(300)], stalls, 140)).toHaveLength(0);
  expect(slowProbes([sample(300)], [], 299)).toHaveLength(1);
  expect(slowProbes([sample(1, 13)], stalls, 250)).toHaveLength(1);
  expect(slowProbes([sample(300)], [], 0)).toHaveLength(0);
});

import process from 'node:process';

import { percentile, type Row } from './bench.ts';

/**
 * The processor time that counting takes on the machine that the budgets were written for. Derived on a machine where
 * counting took this long and the bare SQL of `device-list` as long as in the README's figures.
 */
const REFERENCE_MS = 84;
const COUNT = 100_000_000;
const REPETITIONS = 5;

/** Times a fixed job several times, in milliseconds of processor time, so other work on the machine barely matters. */
export function timeCounting(): number[] {
  return Array.from({ length: REPETITIONS }, () => {
    const before = process.cpuUsage();
    addUp(COUNT);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

function addUp(count: number): number {
  let sum = 0;
  for (let number = 0; number < count; number += 1) sum += number;
  return sum;
}

/**
 * Returns how many times slower than the reference machine this machine is. At least 1, because a budget is how long
 * people may have to wait; a faster machine doesn't have to beat it.
 */
export const slowness = (times: readonly number[]): number => Math.max(1, percentile(times, 50) / REFERENCE_MS);

/**
 * Multiplies a budget for work by the machine's slowness. Other baselines were measured on this machine, or are sizes.
 */
export const scaleBudget = (row: Row, factor: number): Row =>
  row.isWorkBudget === true ? { ...row, baseline: row.baseline * factor } : row;

import { describe, expect, test } from 'vitest';

import { type Period, planPeriod } from './periods.ts';

const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const period = (since: number, until?: number, sharedFields: string[] = []): Period => ({
  since: day(since),
  until: until === undefined ? null : day(until),
  sharedFields,
});

describe('a new period', () => {
  test('has no conflicts with periods that it only touches', () => {
    expect(planPeriod([period(1, 5), period(9)], period(5, 9))).toEqual({ ended: [], deleted: [] });
  });

  test('already exists if another covers it with the same fields', () => {
    const existing = period(1, undefined, ['a', 'b']);
    expect(planPeriod([existing], period(3, undefined, ['b', 'a']))).toEqual({ existing });
    expect(planPeriod([existing], period(3, 4, ['a', 'b']))).toEqual({ existing });
  });

  test('ends periods that began earlier', () => {
    const earlier = period(1, undefined, ['a']);
    expect(planPeriod([earlier], period(3))).toEqual({ ended: [earlier], deleted: [] });
    const closedPeriod = period(1, 4);
    expect(planPeriod([closedPeriod], period(3))).toEqual({ ended: [closedPeriod], deleted: [] });
  });

  test('deletes periods that began at the same time or later', () => {
    const [same, later, after] = [period(3, 4), period(6), period(1, 2)];
    expect(planPeriod([after, same, later], period(3))).toEqual({ ended: [], deleted: [same, later] });
  });
});

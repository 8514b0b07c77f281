import { expect, test } from 'vitest';

import type { Period } from '#commands/nouns/fleet/process-point/periods.ts';
import type { TimelineRow } from '#commands/nouns/fleet/process-point/timeline.ts';

import {
  findConflicts,
  findCursor,
  INITIAL,
  moveArgs,
  moveBar,
  moveRow,
  moveStart,
  type TimelineState,
} from './model.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;
const period = (from: number, until?: number): Period => ({
  since: from * DAY,
  until: until === undefined ? undefined : until * DAY,
  fields: [],
});
const row = (number: string, ...periods: readonly Period[]): TimelineRow => ({
  number,
  name: number,
  level: 'none',
  periods,
});
const rows = [row('A', period(10, 20), period(30)), row('B', period(5, 8))];
const cursorPeriod = (state: TimelineState) => {
  const cursor = findCursor(state, rows);
  return cursor && [cursor.row.number, cursor.period.since / DAY];
};

test('starts at the latest assignment of the first device', () => {
  expect(cursorPeriod(INITIAL)).toEqual(['A', 30]);
  expect(findCursor(INITIAL, [])).toBeUndefined();
});

test('moves between rows and bars, and stops at their ends', () => {
  const second = moveRow(INITIAL, rows, 1);
  expect(cursorPeriod(second)).toEqual(['B', 5]);
  expect(moveRow(second, rows, 1)).toBe(second);
  const earlierCursor = moveBar(INITIAL, rows, -1);
  expect(cursorPeriod(earlierCursor)).toEqual(['A', 10]);
  expect(moveBar(earlierCursor, rows, -1)).toBe(earlierCursor);
  expect(cursorPeriod(moveBar(earlierCursor, rows, 1))).toEqual(['A', 30]);
});

test('accumulates moves of a start time, and drops them on returning to the original', () => {
  const movedCursor = moveStart(moveStart(INITIAL, rows, -1, NOW), rows, -1, NOW);
  expect(movedCursor.move).toMatchObject({ number: 'A', start: 30 * DAY, from: 28 * DAY });
  expect(moveStart(moveStart(movedCursor, rows, 1, NOW), rows, 1, NOW).move).toBeUndefined();
  expect(moveRow(movedCursor, rows, 1).move).toBeUndefined();
});

test('never moves a start into the future or past the end of its assignment', () => {
  expect(moveStart(INITIAL, rows, 1, 30.5 * DAY)).toBe(INITIAL);
  const second = moveRow(INITIAL, rows, 1);
  const last = moveStart(moveStart(second, rows, 1, NOW), rows, 1, NOW);
  expect(last.move?.from).toBe(7 * DAY);
  expect(moveStart(last, rows, 1, NOW)).toBe(last);
});

test('finds the assignments that a move conflicts with', () => {
  const move = { number: 'A', start: 30 * DAY, from: 20 * DAY, overrides: false };
  expect(findConflicts(move, rows[0]!)).toEqual([]);
  expect(findConflicts({ ...move, from: 19 * DAY }, rows[0]!)).toEqual([rows[0]!.periods[0]]);
});

test('names the assignment by its exact start', () => {
  expect(moveArgs('p1', { number: 'A', start: 1, from: DAY, overrides: true })).toEqual({
    processPoints: { ids: ['p1'] },
    device: 'A',
    from: '1970-01-02 00:00',
    start: '1970-01-01 00:00:00.001',
    override: true,
    allowDelete: true,
  });
});

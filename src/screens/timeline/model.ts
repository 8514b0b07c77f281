import type { Args } from '#commands/model/invocation.ts';
import { parseTime } from '#commands/model/time.ts';
import { findEffect, type Period } from '#commands/nouns/fleet/process-point/periods.ts';
import type { TimelineRow } from '#commands/nouns/fleet/process-point/timeline.ts';

const DAY = 86_400_000;

/** A planned new start of an assignment. */
export interface Move {
  readonly number: string;
  /** The current start, which identifies the assignment. */
  readonly start: number;
  readonly from: number;
  /** Ends or deletes the assignments that it conflicts with. */
  readonly overrides: boolean;
}

/** The cursor and the planned move. A period is identified by its start, so both survive a reload of the rows. */
export interface TimelineState {
  /** The number of the active device; undefined for the first row. */
  readonly number: string | undefined;
  /** The start of the active period; undefined for the latest. */
  readonly start: number | undefined;
  readonly move: Move | undefined;
}

export const INITIAL: TimelineState = { number: undefined, start: undefined, move: undefined };

export interface Cursor {
  readonly rowIndex: number;
  readonly row: TimelineRow;
  readonly periodIndex: number;
  readonly period: Period;
}

/** Returns the active row and period. Undefined if there are no rows. */
export function findCursor({ number, start }: TimelineState, rows: readonly TimelineRow[]): Cursor | undefined {
  const rowIndex = Math.max(
    0,
    rows.findIndex((row) => row.number === number),
  );
  const row = rows[rowIndex];
  if (!row) return undefined;
  const index = row.periods.findIndex(({ since }) => since === start);
  const periodIndex = index < 0 ? row.periods.length - 1 : index;
  const period = row.periods[periodIndex];
  return period && { rowIndex, row, periodIndex, period };
}

/** Moves the cursor to another row, which ends a planned move. */
export function moveRow(state: TimelineState, rows: readonly TimelineRow[], offset: number): TimelineState {
  const cursor = findCursor(state, rows);
  if (!cursor) return state;
  const row = rows[Math.min(Math.max(cursor.rowIndex + offset, 0), rows.length - 1)]!;
  return row === cursor.row ? state : { number: row.number, start: undefined, move: undefined };
}

export function moveBar(state: TimelineState, rows: readonly TimelineRow[], offset: number): TimelineState {
  const cursor = findCursor(state, rows);
  const period = cursor?.row.periods[cursor.periodIndex + offset];
  return cursor && period ? { number: cursor.row.number, start: period.since, move: undefined } : state;
}

/** Moves the start of the active period by days. It stays in the past and before the end of the period. */
export function moveStart(
  state: TimelineState,
  rows: readonly TimelineRow[],
  days: number,
  now: number,
): TimelineState {
  const cursor = findCursor(state, rows);
  if (!cursor) return state;
  const { row, period } = cursor;
  const from = (state.move?.from ?? period.since) + days * DAY;
  if (from > now || (period.until !== undefined && from >= period.until)) return state;
  const move = { number: row.number, start: period.since, from, overrides: false };
  return { number: row.number, start: period.since, move: from === period.since ? undefined : move };
}

/** Returns the periods that a move conflicts with. */
export function findConflicts({ start, from }: Move, { periods }: TimelineRow): readonly Period[] {
  const movedPeriod = periods.find(({ since }) => since === start);
  if (!movedPeriod) return [];
  const others = periods.filter((period) => period !== movedPeriod);
  const effect = findEffect(others, { ...movedPeriod, since: from });
  return effect ? [...effect.ended, ...effect.deleted] : [];
}

/** Returns the arguments of the command that makes the move. */
export function moveArgs(point: string, { number, start, from, overrides }: Move): Args {
  return {
    processPoints: { ids: [point] },
    device: number,
    from: exactTime(from),
    start: exactTime(start),
    ...(overrides ? { override: true, allowDelete: true } : {}),
  };
}

const exactTime = (ms: number): string => parseTime(new Date(ms).toISOString())!;

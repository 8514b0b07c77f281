import { parseDuration, printDuration } from '#commands/text/duration.ts';

import {
  type FirstDay,
  type TimeRangeInit,
  type Span,
  DAY,
  EARLIEST_MS,
  LATEST_MS,
  DATE,
  toSpan,
  rangeInit,
  parseTime,
  parseOffset,
} from './time.ts';

/**
 * Returns the range that a filter term selects. Ages compare in the opposite direction from times: `>2d` means more
 * than two days ago, and `<2d` and a bare `2d` mean within the last two days.
 */
export function momentRange(
  test: { readonly value?: string; readonly above?: string; readonly below?: string },
  now: Date,
  firstDay?: FirstDay,
): TimeRangeInit {
  const { value, above, below } = test;
  if (value !== undefined) {
    if (isAge(value)) return rangeInit(startOfAge(value, now), now.getTime());
    const { from, to } = toSpan(value, now, firstDay);
    return rangeInit(from, to);
  }
  let [from, to] = [EARLIEST_MS, LATEST_MS];
  const isBounded = above !== undefined && below !== undefined;
  for (const [bound, isAbove] of [
    [above, true],
    [below, false],
  ] as const) {
    if (bound === undefined) continue;
    const [ms, isStart] = isAge(bound)
      ? [startOfAge(bound, now), !isAbove]
      : [boundOf(toSpan(bound, now, firstDay), isAbove, isBounded), isAbove];
    if (isStart) from = Math.max(from, ms);
    else to = Math.min(to, ms);
  }
  return rangeInit(from, to);
}

/**
 * Returns one end of a range. `a..b` includes both ends in full, `>a` starts after the last ms of `a`, and `<b` ends
 * before the first ms of `b`.
 */
function boundOf(span: Span, isAbove: boolean, isBounded: boolean): number {
  if (isBounded) return isAbove ? span.from : span.to;
  if (span.from === span.to) return span.from;
  return isAbove ? span.to + 1 : span.from - 1;
}

/** True if a canonical moment is a whole day: `2026-01-31`. */
export function isDay(moment: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(moment);
}

/** Returns the day before or after a day, or the day itself at the end of the calendar. */
export function nextDay(day: string, direction: 1 | -1): string {
  const neighbor = new Date(Date.parse(day) + direction * DAY).toISOString().slice(0, 10);
  return isDay(neighbor) ? neighbor : day;
}

/** True if a canonical moment is an age: `2d`. */
export function isAge(moment: string): boolean {
  return /^\d/.test(moment) && !DATE.test(moment);
}

function startOfAge(age: string, now: Date): number {
  return now.getTime() - (parseDuration(age) ?? 0) * 1000;
}

/** Returns the canonical text of a moment in a filter: a time, or an age (`2d`: two days ago). */
export function parseMoment(text: string): string | undefined {
  const time = parseTime(text);
  if (time !== undefined) return time;
  const age = parseOffset(text);
  return age === undefined ? undefined : printDuration(age);
}

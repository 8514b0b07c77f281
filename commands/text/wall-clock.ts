// Converts between instants and what the clock on the user's wall shows. Wall times are ms as if they were in UTC.

const DAY = 86_400_000;
const MINUTE = 60_000;

/** How far UTC is ahead of the user's clock, in ms. */
const lagAt = (instant: number): number => new Date(instant).getTimezoneOffset() * MINUTE;

/** Returns the wall time at an instant. */
export const toWallTime = (instant: number): number => instant - lagAt(instant);

/**
 * Returns the first instant at which the clock shows a wall time. A time that the clock skips becomes as much later as
 * the clock is put forward.
 */
export function toInstant(wallTime: number): number {
  const date = new Date(wallTime);
  const year = date.getUTCFullYear();
  const local = new Date(
    year,
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds(),
  );
  // The constructor reads the years from 0 to 99 as those of the last century.
  if (year >= 0 && year < 100) local.setFullYear(year);
  return local.getTime();
}

/** Returns the other instant at which the clock shows the same, because it is put back. */
export function findRepetition(instant: number): number | undefined {
  const wallTime = toWallTime(instant);
  return [instant - DAY, instant + DAY]
    .map((near) => wallTime + lagAt(near))
    .find((other) => other !== instant && toWallTime(other) === wallTime);
}

/** Returns the instants at which the clock shows a wall time: none, one, or two. */
export function instantsAt(wallTime: number): readonly number[] {
  const first = toInstant(wallTime);
  if (toWallTime(first) !== wallTime) return [];
  const second = findRepetition(first);
  return second === undefined ? [first] : [first, second];
}

/** Returns the offset from UTC at an instant, such as `+02:00`. */
export function offsetText(instant: number): string {
  const minutes = Math.round(-lagAt(instant) / MINUTE);
  const digits = (number: number): string => String(Math.trunc(Math.abs(number))).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${digits(minutes / 60)}:${digits(minutes % 60)}`;
}

/** Returns a formatted time, with its offset from UTC if the clock shows the same time twice. */
export function withOffsetIfRepeated(text: string, instant: number): string {
  return findRepetition(instant) === undefined ? text : `${text} ${offsetText(instant)}`;
}

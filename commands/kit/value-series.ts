// Calculations on series of values for charts and sparklines. Times are in ms since the epoch.

/** A number at a time. `text` is the number in the user's format, without its unit. */
export interface Point {
  readonly time: number;
  readonly value: number;
  readonly text: string;
  /** The color of an enum value, as entered. */
  readonly color?: string;
}

/** A time range; both ends are inclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const HOUR = 3_600_000;
/** The number of points of a sparkline. */
export const SPARK_HOURS = 24;
/** A silence of more than this number of intervals is a gap. */
const INTERVALS_PER_GAP = 3;
/** The shortest range that a chart zooms to. */
const MIN_ZOOM = 60_000;

/**
 * Returns the longest time between two values that is not a gap. It depends on the longest of the usual intervals,
 * because the values of a long range are reduced and therefore further apart than the device sent them.
 */
export function gapLimit(times: readonly number[], expected = 0): number {
  const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const usual = intervals.toSorted((a, b) => a - b)[Math.floor((intervals.length - 1) * 0.9)] ?? Infinity;
  return INTERVALS_PER_GAP * Math.max(expected, usual);
}

/** Returns the silences between values that are longer than `limit`. */
export function gapsBetween(times: readonly number[], limit: number): readonly Span[] {
  return times.slice(1).flatMap((to, index) => {
    const from = times[index] ?? to;
    return to - from > limit ? [{ from, to }] : [];
  });
}

/** Returns the last value of each of the 24 hours before `now`. An hour without values is undefined. */
export function hourlyValues(points: readonly Point[], now: number): readonly (number | undefined)[] {
  const hours: (number | undefined)[] = Array.from({ length: SPARK_HOURS }, () => undefined);
  for (const { time, value } of points) {
    const hour = SPARK_HOURS - 1 - Math.floor((now - time) / HOUR);
    if (hour >= 0 && hour < SPARK_HOURS) hours[hour] = value;
  }
  return hours;
}

export interface Summary {
  readonly first: Point;
  readonly last: Point;
  readonly lowest: Point;
  readonly highest: Point;
}

/** Returns the points that describe the trend of a series. Undefined if it has none. */
export function summarize(points: readonly Point[]): Summary | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return undefined;
  const lowest = points.reduce((best, point) => (point.value < best.value ? point : best), first);
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), first);
  return { first, last, lowest, highest };
}

/** Returns all times of several sorted lists, sorted, each once. */
export function mergeTimes(lists: readonly (readonly number[])[]): readonly number[] {
  return [...new Set(lists.flat())].sort((a, b) => a - b);
}

/** Returns the index of the last time that is not after `time`, or -1. */
export function indexAt(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the time that is `count` values after `current`, or before it if negative. Starts at the last value. */
export function stepTime(times: readonly number[], current: number | undefined, count: number): number | undefined {
  if (times.length === 0) return undefined;
  if (current === undefined)
    return times[Math.max(0, Math.min(times.length - 1, times.length - 1 + Math.min(count, 0)))];
  const at = indexAt(times, current);
  // A step back from between two values goes to the value before.
  const from = count < 0 && at >= 0 && (times[at] ?? current) < current ? at + 1 : at;
  return times[Math.max(0, Math.min(times.length - 1, from + count))];
}

/** Halves or doubles a range around `center`. Stays within `bounds` and returns undefined for the whole of them. */
export function zoomSpan(span: Span, direction: 1 | -1, center: number, bounds: Span): Span | undefined {
  const factor = direction > 0 ? 0.5 : 2;
  const length = Math.max(MIN_ZOOM, (span.to - span.from) * factor);
  if (length >= bounds.to - bounds.from) return undefined;
  const middle = Math.max(span.from, Math.min(span.to, center));
  const share = span.to === span.from ? 0.5 : (middle - span.from) / (span.to - span.from);
  const from = Math.max(bounds.from, Math.min(bounds.to - length, Math.round(middle - share * length)));
  return { from, to: Math.round(from + length) };
}

/** The ends of a scale, which are finite. Their difference may not be. */
export type ValueScale = readonly [low: number, high: number];

/** Returns the part of a scale that is above a value. Computes with halves, whose difference is finite. */
export const fractionAbove = (value: number, [low, high]: ValueScale): number =>
  (high / 2 - value / 2) / (high / 2 - low / 2);

/** Returns a scale for values with a margin, so a line does not touch the edges. Constant values are in the middle. */
export function valueScale(values: readonly number[]): ValueScale {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  const margin = high * 0.08 - low * 0.08 || Math.abs(low) * 0.05 || 1;
  return [Math.max(low - margin, -Number.MAX_VALUE), Math.min(high + margin, Number.MAX_VALUE)];
}

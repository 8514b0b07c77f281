/** The minimum and maximum number of ticks to look for in a lane. */
const [MIN_TICKS, MAX_TICKS] = [3, 4];
const STEPS = [1, 2, 5];

/** Returns the round values to label on the axis of a lane: as many as fit, but at most four. */
export function valueTicks(low: number, high: number, maxTicks: number): readonly number[] {
  // The largest numbers are too far apart to compute with.
  if (!Number.isFinite(high - low)) return valueTicks(low / 10, high / 10, maxTicks).map((tick) => tick * 10);
  const limit = Math.max(MIN_TICKS, Math.min(MAX_TICKS, maxTicks));
  const start = 10 ** Math.floor(Math.log10((high - low) / limit));
  const steps = [start, start * 10].flatMap((power) => STEPS.map((step) => step * power));
  for (const step of steps) {
    const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
    if (last - first >= limit) continue;
    return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(10)));
  }
  return [];
}

/** The number of characters that the space beside a lane has room for. */
const MAX_LENGTH = 7;

/** Returns the label of a tick. A number with many digits has an exponent, if that is shorter. */
export function tickText(value: number): string {
  const text = String(value).replace('e+', 'e');
  const exponential = value.toExponential().replace('e+', 'e');
  return text.length > MAX_LENGTH && exponential.length < text.length ? exponential : text;
}

import { calendarTicks, type TickStep } from '#src/chart/calendar-ticks.ts';

/** A time range, in ms since the epoch. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The start and end of a period. It is current if it has no end. */
export interface Stretch {
  readonly since: number;
  readonly until: number | undefined;
}

/** A time axis: the visible range and its ticks. */
export interface Scale extends Range {
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

const DAY = 86_400_000;
/** A range shorter than this would make a day wider than the screen needs. */
const MIN_SPAN = 10 * DAY;
/** The part of the range after now, so the bars of current assignments visibly reach now. */
const MARGIN = 0.03;
const MAX_TICKS = 8;
/** The shortest range to zoom to. */
const MIN_ZOOM = 3 * DAY;
/** The part of the range that one step of the zoom leaves. */
const ZOOM_STEP = 0.5;

/** The distances between ticks, ascending, each with its approximate length in days. */
const STEPS: readonly (readonly [unit: TickStep['unit'], count: number, days: number])[] = [
  ['day', 1, 1],
  ['day', 2, 2],
  ['day', 7, 7],
  ['day', 14, 14],
  ['month', 1, 30],
  ['month', 2, 61],
  ['month', 3, 91],
  ['month', 6, 183],
  ['month', 12, 365],
  ['month', 24, 731],
  ['month', 60, 1826],
];

/** Returns the range from the earliest start until now, with a margin. */
export function computeFullRange(starts: readonly number[], now: number): Range {
  const first = Math.min(now - MIN_SPAN, ...starts);
  const span = now - first;
  return { from: first - span * MARGIN, to: now + span * MARGIN };
}

/** Returns the range of the last days before now, with a margin. */
export function lastDays(days: number, now: number): Range {
  return { from: now - days * DAY, to: now + days * DAY * MARGIN };
}

/**
 * Zooms in or out, and keeps `at` where it is. Returns undefined if everything is visible again.
 */
export function zoomRange(range: Range, fullRange: Range, direction: 1 | -1, at: number): Range | undefined {
  const span = range.to - range.from;
  const wanted = Math.max(direction > 0 ? span * ZOOM_STEP : span / ZOOM_STEP, MIN_ZOOM);
  if (wanted >= fullRange.to - fullRange.from) return undefined;
  const share = Math.min(Math.max((at - range.from) / span, 0), 1);
  return moveInto({ from: at - share * wanted, to: at + (1 - share) * wanted }, fullRange);
}

/** Moves the range by a part of its length. */
export function panRange(range: Range, fullRange: Range, part: number): Range {
  const offset = (range.to - range.from) * part;
  return moveInto({ from: range.from + offset, to: range.to + offset }, fullRange);
}

/** Moves the range if a period is not visible. */
export function reveal(range: Range, fullRange: Range, { since, until = Infinity }: Stretch): Range {
  const { from, to } = range;
  if (since < to && until > from) return range;
  const middle = (to - from) / 2;
  const at = since >= to ? since : Math.min(until, fullRange.to);
  return moveInto({ from: at - middle, to: at + middle }, fullRange);
}

/** Moves a range into another one, which is longer. */
function moveInto({ from, to }: Range, fullRange: Range): Range {
  const offset = Math.max(fullRange.from - from, 0) - Math.max(to - fullRange.to, 0);
  return { from: from + offset, to: to + offset };
}

/** Returns the axis of a range, with at most eight ticks in the local time zone. */
export function createScale({ from, to }: Range, language: string): Scale {
  const days = (to - from) / DAY;
  const [unit, count] = STEPS.find(([, , length]) => days / length <= MAX_TICKS) ?? STEPS.at(-1)!;
  const isYearly = unit === 'month' && count >= 12;
  const format = (at: number, isFirst: boolean): string => {
    const date = new Date(at);
    const withYear = isFirst || (date.getMonth() === 0 && (unit === 'month' || date.getDate() <= count));
    return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      ...(unit === 'day' ? { day: 'numeric' } : {}),
      ...(isYearly ? {} : { month: 'short' }),
      ...(withYear || isYearly ? { year: 'numeric' } : {}),
    }).format(at);
  };
  const times = calendarTicks({ from, to }, { unit, count });
  return { from, to, ticks: times.map((at, index) => ({ at, label: format(at, index === 0) })) };
}

/** True if a time is within the visible range. */
export const isVisible = (at: number, { from, to }: Range): boolean => at >= from && at <= to;

/** Returns the position of a time on the axis, in percent. Times outside are at its edges. */
export function positionOf(at: number, { from, to }: Range): number {
  return (100 * (Math.min(Math.max(at, from), to) - from)) / (to - from);
}

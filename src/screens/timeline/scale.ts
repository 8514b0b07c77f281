/** A time axis: the visible range, in ms since the epoch, and its ticks. */
export interface Scale {
  readonly from: number;
  readonly to: number;
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

type Unit = 'day' | 'month';

/** The distances between ticks, ascending, each with its approximate length in days. */
const STEPS: readonly (readonly [unit: Unit, count: number, days: number])[] = [
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

/** Returns the axis from the earliest start until now, with at most eight ticks in the local time zone. */
export function scaleOf(starts: readonly number[], now: number, language: string): Scale {
  const first = Math.min(now - MIN_SPAN, ...starts);
  const span = now - first;
  const [from, to] = [first - span * MARGIN, now + span * MARGIN];
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
  const times = ticksIn(from, to, unit, count);
  return { from, to, ticks: times.map((at, index) => ({ at, label: format(at, index === 0) })) };
}

function ticksIn(from: number, to: number, unit: Unit, count: number): readonly number[] {
  const start = new Date(from);
  const at = (index: number): number =>
    unit === 'day'
      ? new Date(start.getFullYear(), start.getMonth(), start.getDate() + index * count).getTime()
      : new Date(start.getFullYear(), Math.floor(start.getMonth() / count) * count + index * count, 1).getTime();
  const times: number[] = [];
  for (let index = 0; at(index) < to; index++) if (at(index) >= from) times.push(at(index));
  return times;
}

/** Returns the position of a time on the axis, in percent. Times outside are at its edges. */
export function positionOf(at: number, { from, to }: Scale): number {
  return (100 * (Math.min(Math.max(at, from), to) - from)) / (to - from);
}

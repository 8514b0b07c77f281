import type { Span } from '#commands/kit/value-series.ts';
import type { MomentFormat } from '#commands/text/moment.ts';
import { offsetText, toWallTime, withOffsetIfRepeated } from '#commands/text/wall-clock.ts';

import { calendarTicks, type TickStep } from './calendar-ticks.ts';

const DAY = 86_400_000;

export interface AxisFormat {
  readonly language: string;
  readonly format: MomentFormat | undefined;
}

/**
 * The formatters by their options. Creating one for each tick would be too slow. They are for wall times, because one
 * for a time zone would keep it when the computer moves to another.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

function write(time: number, { language }: AxisFormat, options: Intl.DateTimeFormatOptions): string {
  const key = `${language} ${JSON.stringify(options)}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...options, timeZone: 'UTC' });
    formatters.set(key, formatter);
  }
  return formatter.format(toWallTime(time)).replace(',', '');
}

/**
 * Formats a time of day, with AM and PM for users who write dates the American way, and with its offset from UTC if the
 * clock shows it twice on that day.
 */
export function clockText(time: number, axis: AxisFormat, withSeconds = false): string {
  const isTwelve = axis.format === 'month-first';
  const text = write(time, axis, {
    hour: isTwelve ? 'numeric' : '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
    ...(isTwelve ? { hour12: true } : { hourCycle: 'h23' }),
  });
  return withOffsetIfRepeated(text, time);
}

export const dayText = (time: number, axis: AxisFormat): string =>
  write(time, axis, { weekday: 'short', day: 'numeric', month: 'short' });

/** The user's time zone at a time: `UTC`, `UTC+1`, `UTC-3:30`. */
const zoneText = (time: number): string =>
  `UTC${offsetText(time)
    .replace('+00:00', '')
    .replace(/([-+])0/, '$1')
    .replace(':00', '')}`;

/**
 * Formats a range without seconds: `20 Nov 03:28 – 27 Nov 03:28 UTC+1`, with the year if it is not the current one, and
 * with both time zones if the clock changes in between.
 */
export function spanText({ from, to }: Span, axis: AxisFormat): string {
  const year = new Date().getFullYear();
  const withYear = [from, to].some((time) => new Date(time).getFullYear() !== year);
  const text = (time: number): string => {
    const day = write(time, axis, { day: 'numeric', month: 'short', ...(withYear ? { year: 'numeric' } : {}) });
    return `${day} ${clockText(time, axis)}`;
  };
  const zone = zoneText(to);
  const firstZone = zoneText(from) === zone ? '' : ` ${zoneText(from)}`;
  return `${text(from)}${firstZone} – ${text(to)} ${zone}`;
}

const MONTH = 30 * DAY;
const YEAR = 365 * DAY;
/** Beyond this, the library's own steps of up to a century can be too small for a narrow chart. */
const LONG_SPAN = 200 * YEAR;
const LONG_STEPS: readonly number[] = [25, 50, 100, 250, 500, 1000, 2500, 5000].map((years) => years * YEAR);

/** Returns the possible steps between the ticks of a span in ms. Undefined for those of the library. */
export function timeSteps({ from, to }: Span): readonly number[] | undefined {
  return to - from > LONG_SPAN ? LONG_STEPS : undefined;
}

/** Returns the ticks of a span for a step of the library, whose months have 30 days, and whose years have 365. */
export const timeTicks = (span: Span, step: number): readonly number[] => calendarTicks(span, tickStep(step));

function tickStep(step: number): TickStep {
  if (step >= YEAR) return { unit: 'month', count: Math.round(step / YEAR) * 12 };
  if (step >= MONTH) return { unit: 'month', count: Math.round(step / MONTH) };
  return step >= DAY ? { unit: 'day', count: Math.round(step / DAY) } : { unit: 'ms', count: step };
}

/** Labels ticks that are `step` ms apart. The first tick of a day shows the day, and ticks of days show only days. */
export function labelTicks(ticks: readonly number[], step: number, axis: AxisFormat): readonly string[] {
  return ticks.map((time) => {
    const date = new Date(time);
    if (step >= MONTH) return write(time, axis, { month: 'short', year: 'numeric' });
    // Not always midnight, because some time zones put the clock forward then.
    const startsDay = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime() === time;
    return step >= DAY || startsDay ? dayText(time, axis) : clockText(time, axis, step < 60_000);
  });
}

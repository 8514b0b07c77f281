import { toWallTime, withOffsetIfRepeated } from './wall-clock.ts';

/** The formats for a date with a time. The first is the default. */
export const MOMENT_FORMATS = ['named-month', 'iso', 'day-first', 'month-first'] as const;
export type MomentFormat = (typeof MOMENT_FORMATS)[number];

const NAMED_MONTH: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
};

/** Whether to write the date and time, or only the calendar day that starts at the timestamp in UTC. */
export type Precision = 'time' | 'day';

/** Formats timestamps (ms since the epoch) for one user, to the second by default. */
export type WriteMoment = (ms: number, precision?: Precision) => string;

interface Parts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hours: number;
  /** `13:27` */
  readonly minutesAndSeconds: string;
}

const writers: { readonly [F in Exclude<MomentFormat, 'named-month'>]: (parts: Parts) => string } = {
  iso: ({ year, month, day, hours, minutesAndSeconds }) =>
    `${year}-${month}-${day} ${twoDigits(hours)}:${minutesAndSeconds}`,
  'day-first': ({ year, month, day, hours, minutesAndSeconds }) =>
    `${day}-${month}-${year} ${twoDigits(hours)}:${minutesAndSeconds}`,
  'month-first': ({ year, month, day, hours, minutesAndSeconds }) =>
    `${month}/${day}/${year} ${twoDigits(hours % 12 || 12)}:${minutesAndSeconds} ${hours < 12 ? 'AM' : 'PM'}`,
};

const NAMED_MONTH_DAY: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  timeZone: 'UTC',
};

const dayWriters: { readonly [F in Exclude<MomentFormat, 'named-month'>]: (parts: readonly string[]) => string } = {
  iso: ([year, month, day]) => `${year}-${month}-${day}`,
  'day-first': ([year, month, day]) => `${day}-${month}-${year}`,
  'month-first': ([year, month, day]) => `${month}/${day}/${year}`,
};

/** The formatters of wall times and days. Creating a formatter for each table row would be too slow. */
const namedMonthFormatters = new Map<string, Intl.DateTimeFormat>();

function namedMonth(language: string, precision: Precision): Intl.DateTimeFormat {
  const key = `${language} ${precision}`;
  let formatter = namedMonthFormatters.get(key);
  if (!formatter) {
    const locale = language === 'en' ? 'en-GB' : language;
    formatter = new Intl.DateTimeFormat(locale, precision === 'day' ? NAMED_MONTH_DAY : NAMED_MONTH);
    namedMonthFormatters.set(key, formatter);
  }
  return formatter;
}

/** Builds a formatter for the local time zone. A calendar day is the same in every time zone. */
export function momentFormatter(format?: MomentFormat, language?: string): WriteMoment {
  return (ms, precision = 'time') =>
    precision === 'day' ? formatDay(ms, format, language) : formatMoment(ms, format, language);
}

/** Formats the calendar day that starts at the given timestamp in UTC, such as `20 Nov 2026` or `2026-11-20`. */
export function formatDay(ms: number, format: MomentFormat = 'named-month', language = 'en'): string {
  if (format === 'named-month') return namedMonth(language, 'day').format(ms);
  return dayWriters[format](new Date(ms).toISOString().slice(0, 10).split('-'));
}

/**
 * Formats a timestamp (ms since the epoch) in the user's time zone, to the second, such as `20 Nov 2026, 11:13:27` or
 * `2026-11-20 11:13:27`. When the clocks go back, a time that they show twice has its offset from UTC.
 */
export function formatMoment(ms: number, format: MomentFormat = 'named-month', language = 'en'): string {
  return withOffsetIfRepeated(formatClock(ms, format, language), ms);
}

/** Formats what the user's calendar and clock show. */
export function formatClock(ms: number, format: MomentFormat, language = 'en'): string {
  if (format === 'named-month') return namedMonth(language, 'time').format(toWallTime(ms));
  const date = new Date(ms);
  return writers[format]({
    year: String(date.getFullYear()),
    month: twoDigits(date.getMonth() + 1),
    day: twoDigits(date.getDate()),
    hours: date.getHours(),
    minutesAndSeconds: `${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`,
  });
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** Ways to write a moment; the first is the default. */
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
};

/** What is written of a moment: all of it, or the calendar day that begins at it in UTC. */
export type Precision = 'time' | 'day';

/** Writes moments (ms since the epoch) for one reader, to the second where nothing else is said. */
export type WriteMoment = (at: number, precision?: Precision) => string;

interface Parts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hours: number;
  /** `13:27` */
  readonly rest: string;
}

const writers: { readonly [F in Exclude<MomentFormat, 'named-month'>]: (parts: Parts) => string } = {
  iso: ({ year, month, day, hours, rest }) => `${year}-${month}-${day} ${two(hours)}:${rest}`,
  'day-first': ({ year, month, day, hours, rest }) => `${day}-${month}-${year} ${two(hours)}:${rest}`,
  'month-first': ({ year, month, day, hours, rest }) =>
    `${month}/${day}/${year} ${two(hours % 12 || 12)}:${rest} ${hours < 12 ? 'AM' : 'PM'}`,
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

/** By language and precision: making one takes longer than a row of a table has. */
const named = new Map<string, Intl.DateTimeFormat>();

function namedMonth(language: string, precision: Precision): Intl.DateTimeFormat {
  const key = `${language} ${precision}`;
  let known = named.get(key);
  if (!known) {
    const locale = language === 'en' ? 'en-GB' : language;
    known = new Intl.DateTimeFormat(locale, precision === 'day' ? NAMED_MONTH_DAY : NAMED_MONTH);
    named.set(key, known);
  }
  return known;
}

/** Writes in a format and language, in the time zone of this machine; a calendar day is the same one everywhere. */
export function momentWriter(format?: MomentFormat, language?: string): WriteMoment {
  return (at, precision = 'time') =>
    precision === 'day' ? formatDay(at, format, language) : formatMoment(at, format, language);
}

/** The calendar day that begins at a moment in UTC: `20 Nov 2026`, `2026-11-20` … */
export function formatDay(at: number, format: MomentFormat = 'named-month', language = 'en'): string {
  if (format === 'named-month') return namedMonth(language, 'day').format(at);
  return dayWriters[format](new Date(at).toISOString().slice(0, 10).split('-'));
}

/**
 * A moment (ms since the epoch) in the reader's time zone, to the second: `20 Nov 2026, 11:13:27`, `2026-11-20
 * 11:13:27` …
 */
export function formatMoment(at: number, format: MomentFormat = 'named-month', language = 'en'): string {
  if (format === 'named-month') return namedMonth(language, 'time').format(at);
  const date = new Date(at);
  return writers[format]({
    year: String(date.getFullYear()),
    month: two(date.getMonth() + 1),
    day: two(date.getDate()),
    hours: date.getHours(),
    rest: `${two(date.getMinutes())}:${two(date.getSeconds())}`,
  });
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

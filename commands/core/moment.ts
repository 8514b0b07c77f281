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

/** By language: making one takes longer than a row of a table has. */
const named = new Map<string, Intl.DateTimeFormat>();

function namedMonth(language: string): Intl.DateTimeFormat {
  let known = named.get(language);
  if (!known)
    named.set(language, (known = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, NAMED_MONTH)));
  return known;
}

/** A moment (ms since the epoch) in the reader's time zone, to the second: `20 Nov 2026, 11:13:27`, `2026-11-20 11:13:27` … */
export function formatMoment(at: number, format: MomentFormat = 'named-month', language = 'en'): string {
  if (format === 'named-month') return namedMonth(language).format(at);
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

import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';

import { parseDuration, printDuration } from '#commands/text/duration.ts';
import type { TimeRangeSchema, TimestampSchema } from '#proto/gen/hiber/base_pb.ts';

/** The days that a week can start on. Users choose one in their preferences (spec 3). */
export const FIRST_DAYS = ['MONDAY', 'SUNDAY'] as const;
export type FirstDay = (typeof FIRST_DAYS)[number];

type TimestampInit = MessageInitShape<typeof TimestampSchema>;
export type TimeRangeInit = MessageInitShape<typeof TimeRangeSchema>;

/** The span of a time, in ms since the epoch. Both ends are inclusive. For an instant, they are equal. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const DAY = 86_400_000;
// The contract doesn't define ranges without a start or an end, so these are sent instead.
export const EARLIEST_MS = 0;
export const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Days and instants are in UTC, as the contract reads a bare date (contract: Timestamp). */
export const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(?:\s*(Z|[+-]\d{2}:\d{2}))?)?$/i;
const SIGNED = /^[-+]/;
/** A date with an English month name, possibly abbreviated to three or more letters, and an optional time of day. */
const NAMED_MONTHS = [
  /^(?<day>\d{1,2})[ -](?<month>[a-z]{3,})\.?,?[ -](?<year>\d{4})(?:,? (?<clock>\d.*))?$/,
  /^(?<month>[a-z]{3,})\.? (?<day>\d{1,2}),? (?<year>\d{4})(?:,? (?<clock>\d.*))?$/,
];
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** The maximum offset from now, in seconds: a thousand years. Beyond that, the contract can't represent the date. */
const MAX_OFFSET_S = (365_000 * DAY) / 1000;

/** Calendar periods by name, each from its first to its last ms. */
const PERIODS: Readonly<Record<string, (now: Date, firstDay: FirstDay) => Span>> = {
  today: (now) => days(now, 0, 1),
  yesterday: (now) => days(now, -1, 1),
  tomorrow: (now) => days(now, 1, 1),
  'this week': (now, firstDay) => days(now, -weekday(now, firstDay), 7),
  'last week': (now, firstDay) => days(now, -weekday(now, firstDay) - 7, 7),
  'this month': (now) => months(now, 0, 1),
  'last month': (now) => months(now, -1, 1),
  'this year': (now) => months(now, -now.getUTCMonth(), 12),
  'last year': (now) => months(now, -now.getUTCMonth() - 12, 12),
};

export const PERIOD_NAMES: readonly string[] = Object.keys(PERIODS);

/** Counts the days since the week began. */
function weekday(now: Date, firstDay: FirstDay): number {
  return (now.getUTCDay() + (firstDay === 'MONDAY' ? 6 : 0)) % 7;
}

function days(now: Date, offset: number, length: number): Span {
  const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + offset);
  return { from, to: from + length * DAY - 1 };
}

function months(now: Date, offset: number, length: number): Span {
  const start = (index: number): number => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset + index, 1);
  return { from: start(0), to: start(length) - 1 };
}

/**
 * Returns the canonical text of a time: `now`, `-10h`, `+30d`, `2026-01-31`, `2026-01-31 20:00`, or `last month`. Also
 * accepts `in 30 days` and dates with a month name (`31 Jan 2026`). Converts a time with an offset to UTC. Undefined
 * for any other text.
 */
export function parseTime(text: string): string | undefined {
  const normalized = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^in (?=\d)/, '+');
  if (normalized === 'now' || Object.hasOwn(PERIODS, normalized)) return normalized;
  if (SIGNED.test(normalized)) {
    const seconds = parseOffset(normalized);
    if (seconds === undefined) return undefined;
    return normalized.startsWith('-') ? `-${printDuration(Math.abs(seconds))}` : `+${printDuration(seconds)}`;
  }
  const date = parseDate(withNumericMonth(normalized));
  return date && printDate(date);
}

/** Returns the canonical text of a time in the future, where a duration such as `30d` counts from now. */
export function parseFutureTime(text: string): string | undefined {
  return parseTime(text) ?? parseTime(`+${text.trim()}`);
}

/** Rewrites `28 feb 2027` or `feb 28, 2027` as `2027-02-28`. Returns other text unchanged. */
function withNumericMonth(text: string): string {
  const groups = NAMED_MONTHS.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
  if (!groups) return text;
  const { day = '', month = '', year = '', clock } = groups;
  const number = MONTHS.findIndex((name) => name.startsWith(month)) + 1;
  if (number === 0) return text;
  const date = [year, `${number}`.padStart(2, '0'), day.padStart(2, '0')].join('-');
  return clock === undefined ? date : `${date} ${clock}`;
}

/** Returns an offset in seconds, which is negative for the past. */
export function parseOffset(text: string): number | undefined {
  const seconds = parseDuration(text);
  return seconds === undefined || Math.abs(seconds) > MAX_OFFSET_S ? undefined : seconds;
}

function parseDate(text: string): (Span & { readonly day: boolean }) | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  // Date.UTC would read the years from 0 to 99 as those of the last century.
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day);
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '0').padEnd(3, '0')));
  const ms = date.getTime();
  // JavaScript moves an invalid day or hour to another month or hour. The contract's times begin with the year 1.
  const exists = year !== 0 && date.getUTCMonth() + 1 === month && date.getUTCHours() === hour;
  if (!exists || second > 59) return undefined;
  if (match[4] === undefined) return { from: ms, to: ms + DAY - 1, day: true };
  const zone = match[8];
  const offset =
    zone && zone !== 'z' ? Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) : 0;
  const utc = ms - offset * 60_000;
  return { from: utc, to: utc, day: false };
}

function printDate({ from, day }: { readonly from: number; readonly day: boolean }): string {
  const iso = new Date(from).toISOString();
  if (day) return iso.slice(0, 10);
  const time = iso
    .slice(11, 23)
    .replace(/\.000$/, '')
    .replace(/:00$/, '');
  return `${iso.slice(0, 10)} ${time}`;
}

/** Returns the canonical text of an instant, to the second. */
export function printTime(time: Date): string {
  return printDate({ from: Math.floor(time.getTime() / 1000) * 1000, day: false });
}

/**
 * Returns the span of a canonical time at `now`. A signed duration counts from `origin`.
 *
 * @throws RangeError for other text
 */
export function toSpan(time: string, now: Date, firstDay: FirstDay = 'MONDAY', origin: number = now.getTime()): Span {
  if (time === 'now') return { from: now.getTime(), to: now.getTime() };
  const period = PERIODS[time];
  if (period) return period(now, firstDay);
  const seconds = SIGNED.test(time) ? parseDuration(time) : undefined;
  if (seconds !== undefined) {
    const ms = origin + seconds * 1000;
    return { from: ms, to: ms };
  }
  const date = parseDate(time.toLowerCase());
  if (!date) throw new RangeError(`"${time}" is not a time.`);
  return { from: date.from, to: date.to };
}

/** Returns the start of a time, as the contract's `Timestamp`. */
export function toTimestamp(time: string, now: Date, firstDay?: FirstDay): TimestampInit {
  return { timestamp: timestampFromMs(toSpan(time, now, firstDay).from) };
}

/**
 * Returns the range from the beginning of `start` to the end of `end`. A signed duration as the start counts back from
 * the end (contract: TimeRange).
 */
export function toTimeRange(
  { start, end }: { readonly start: string; readonly end: string },
  now: Date,
  firstDay?: FirstDay,
): TimeRangeInit {
  const { to } = toSpan(end, now, firstDay);
  return rangeInit(toSpan(start, now, firstDay, to).from, to);
}

export function rangeInit(from: number, to: number): TimeRangeInit {
  return { start: { timestamp: timestampFromMs(from) }, end: { timestamp: timestampFromMs(to) } };
}

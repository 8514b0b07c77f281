import type { Timestamp as WireTimestamp } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';

import type { TimeRange, Timestamp } from '#proto/gen/hiber/base_pb.ts';

import { parseDuration } from './durations.ts';
import { isSupportedTime, SUPPORTED_YEARS } from './requests/times.ts';

/** Matches `2022-01-01`, `2022-01-01 20:00`, or `2022-01-01T20:00:00.5+01:00`; a time without an offset is in UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Parses an instant, which can be `now` (contract: Timestamp). Returns undefined for other text. */
function parseInstant(text: string, now: Date): Date | undefined {
  if (text.toLowerCase() === 'now') return now;
  const [match, day, time = '00:00', offset = 'Z'] = INSTANT.exec(text) ?? [];
  if (match === undefined) return undefined;
  const zone = /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset.toUpperCase();
  const date = new Date(`${day}T${time.length === 5 ? `${time}:00` : time}${zone}`);
  // Date rolls February 31 over to March 3.
  const exists = !Number.isNaN(date.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(`${day}`);
  return exists ? date : undefined;
}

const invalidTime = (field: string, text: string): ConnectError =>
  new ConnectError(`"${field}" isn't a time: "${text}". Use a format like 2022-01-01T20:00:00Z.`, Code.InvalidArgument);

/**
 * Converts milliseconds since the epoch to a date.
 *
 * @throws ConnectError INVALID_ARGUMENT for a time that can't be stored or written back
 */
function requireSupportedTime(milliseconds: number, field: string): Date {
  if (isSupportedTime(milliseconds)) return new Date(milliseconds);
  throw new ConnectError(`"${field}" is out of range. Times must be ${SUPPORTED_YEARS}.`, Code.InvalidArgument);
}

/** Rounds down, as for text, because protobuf's latest time would otherwise be in the year 10000. */
const toMilliseconds = ({ seconds, nanos }: WireTimestamp): number =>
  Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);

/**
 * Reads a timestamp from its structured or textual form.
 *
 * @param field the request field's name, for the error
 * @returns undefined if both are unset
 * @throws ConnectError INVALID_ARGUMENT
 */
export function readTimestamp(timestamp: Timestamp | undefined, now: Date, field = 'timestamp'): Date | undefined {
  // If both are present, the structured form takes precedence (contract: Timestamp).
  if (timestamp?.timestamp !== undefined) return requireSupportedTime(toMilliseconds(timestamp.timestamp), field);
  const text = timestamp?.textual?.trim() ?? '';
  if (text === '') return undefined;
  const date = parseInstant(text, now);
  if (date === undefined) throw invalidTime(field, text);
  return requireSupportedTime(date.getTime(), field);
}

/** A time range. An unset bound is open; bounds are inclusive (not specified in the contract). */
export interface Range {
  readonly start: Date | undefined;
  readonly end: Date | undefined;
}

/**
 * Reads a range. Besides instants, both bounds accept a signed duration. The start is then relative to the end, or to
 * now if the end is open, and the end is relative to now (contract: TimeRange).
 *
 * @throws ConnectError INVALID_ARGUMENT, including for a range that ends before it starts
 */
export function readTimeRange(range: TimeRange | undefined, now: Date, field = 'time_range'): Range {
  const end = readBound(range?.end, now, now, `${field}.end`);
  const start = readBound(range?.start, end ?? now, now, `${field}.start`);
  if (start !== undefined && end !== undefined && start > end) {
    throw new ConnectError(`"${field}" ends before it starts.`, Code.InvalidArgument);
  }
  return { start, end };
}

function readBound(timestamp: Timestamp | undefined, anchor: Date, now: Date, field: string): Date | undefined {
  const text = timestamp?.textual?.trim() ?? '';
  if (timestamp?.timestamp === undefined && text !== '') {
    const seconds = parseDuration(text);
    if (seconds !== undefined) return requireSupportedTime(anchor.getTime() + seconds * 1000, field);
  }
  return readTimestamp(timestamp, now, field);
}

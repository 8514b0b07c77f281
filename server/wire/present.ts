/**
 * Presents values in the contract's formats. Each structured value includes its text (contract: Timestamp, Duration,
 * Location, BytesOrHex).
 */
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';

import type { BytesOrHex, Duration, Location, Timestamp } from '#proto/gen/hiber/base_pb.ts';
import { BytesOrHexSchema, DurationSchema, LocationSchema, TimestampSchema } from '#proto/gen/hiber/base_pb.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** The offset of a zone from UTC. */
interface Offset {
  readonly milliseconds: number;
  /** In ISO 8601: `+01:00`, or `Z`. */
  readonly text: string;
}

function computeOffset(time: number, zone: string): Offset {
  const name = formatterFor(zone)
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value;
  // 'GMT', 'GMT+01:00', or in the distant past 'GMT-00:44:30'
  const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name ?? '') ?? [];
  if (sign === undefined) return { milliseconds: 0, text: 'Z' };
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return { milliseconds: (sign === '-' ? -size : size) * 1000, text: (name ?? '').slice(3) };
}

const DAY = 86_400_000;
const MAX_DAYS = 10_000;
/** The offsets by zone and day; null for days when the offset changes. */
const offsetsByDay = new Map<string, Offset | null>();

/**
 * Returns a zone's offset at a time. The lookup takes most of the time to present a timestamp, and a page has hundreds
 * of timestamps, so offsets are cached by day.
 */
function cachedOffset(time: number, zone: string): Offset {
  const start = Math.floor(time / DAY) * DAY;
  const key = `${start}${zone}`;
  let offset = offsetsByDay.get(key);
  if (offset === undefined) {
    const first = computeOffset(start, zone);
    offset = first.text === computeOffset(start + DAY - 1, zone).text ? first : null;
    if (offsetsByDay.size >= MAX_DAYS) offsetsByDay.clear();
    offsetsByDay.set(key, offset);
  }
  return offset ?? computeOffset(time, zone);
}

/**
 * Formats a time in ISO 8601 in the zone, such as `2018-01-01T14:00:00+01:00`. The suffix for UTC is `Z`. Omits
 * milliseconds if they are zero.
 */
function isoText(date: Date, zone: string): string {
  const offset = zone === 'UTC' ? { milliseconds: 0, text: 'Z' } : cachedOffset(date.getTime(), zone);
  const localTime = new Date(date.getTime() + offset.milliseconds).toISOString();
  return localTime.slice(0, localTime.endsWith('.000Z') ? -'.000Z'.length : -1) + offset.text;
}

/** Presents a time, with its text in the given zone. For device data, pass the device's zone. */
export function presentTimestamp(date: Date, zone = 'UTC'): Timestamp {
  return create(TimestampSchema, {
    timestamp: timestampFromDate(date),
    timeZone: zone || 'UTC',
    textual: isoText(date, zone || 'UTC'),
  });
}

/** Formats a duration compactly: 3600 s is `1h`, 172800 s is `2d`, 5400 s is `1h30m`, and zero is `0s`. */
export function durationText(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const;
  let remaining = Math.abs(Math.trunc(seconds));
  let text = '';
  for (const [unit, size] of units) {
    const amount = Math.floor(remaining / size);
    remaining -= amount * size;
    if (amount > 0) text += `${seconds < 0 ? '-' : ''}${amount}${unit}`;
  }
  return text || '0s';
}

export function presentDuration(seconds: number): Duration {
  const wholeSeconds = Math.trunc(seconds);
  return create(DurationSchema, {
    duration: { seconds: BigInt(wholeSeconds), nanos: Math.round((seconds - wholeSeconds) * 1e9) },
    textual: durationText(seconds),
  });
}

export function presentLocation(point: { latitude: number; longitude: number }): Location {
  return create(LocationSchema, { ...point, textual: `[${point.latitude},${point.longitude}]` });
}

export function presentBytes(bytes: Uint8Array): BytesOrHex {
  return create(BytesOrHexSchema, { bytes, hex: Buffer.from(bytes).toString('hex').toUpperCase() });
}

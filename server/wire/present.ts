/**
 * Values as the contract writes them: every structured form beside its text (contract: Timestamp, Duration, Location,
 * BytesOrHex).
 */
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { BytesOrHex, Duration, Location, Timestamp } from '#proto/gen/hiber/base_pb.ts';
import { BytesOrHexSchema, DurationSchema, LocationSchema, TimestampSchema } from '#proto/gen/hiber/base_pb.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** What a zone is ahead of UTC. */
interface Offset {
  readonly milliseconds: number;
  /** As ISO 8601 writes it: `+01:00`, or `Z`. */
  readonly text: string;
}

function offsetAt(time: number, zone: string): Offset {
  const name = formatterOf(zone)
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value;
  // 'GMT', 'GMT+01:00', and of long ago 'GMT-00:44:30'
  const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name ?? '') ?? [];
  if (sign === undefined) return { milliseconds: 0, text: 'Z' };
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return { milliseconds: (sign === '-' ? -size : size) * 1000, text: (name ?? '').slice(3) };
}

const DAY = 86_400_000;
const MAX_DAYS = 10_000;
/** By zone and day; null for the days on which the offset changes. */
const offsetsOfDays = new Map<string, Offset | null>();

/** Asking the zone is most of the cost of a timestamp, and a page has hundreds: it is asked once for each day. */
function offsetOf(time: number, zone: string): Offset {
  const start = Math.floor(time / DAY) * DAY;
  const key = `${start}${zone}`;
  let offset = offsetsOfDays.get(key);
  if (offset === undefined) {
    const first = offsetAt(start, zone);
    offset = first.text === offsetAt(start + DAY - 1, zone).text ? first : null;
    if (offsetsOfDays.size >= MAX_DAYS) offsetsOfDays.clear();
    offsetsOfDays.set(key, offset);
  }
  return offset ?? offsetAt(time, zone);
}

/** ISO 8601 in the zone, e.g. `2018-01-01T14:00:00+01:00`; `Z` for UTC. Milliseconds only when there are any. */
function isoText(date: Date, zone: string): string {
  const offset = zone === 'UTC' ? { milliseconds: 0, text: 'Z' } : offsetOf(date.getTime(), zone);
  const local = new Date(date.getTime() + offset.milliseconds).toISOString();
  return local.replace(/(\.000)?Z$/, '') + offset.text;
}

/** The text is in the given zone; for device data that is the device's own. */
export function presentTimestamp(date: Date, zone = 'UTC'): Timestamp {
  return create(TimestampSchema, {
    timestamp: timestampFromDate(date),
    timeZone: zone || 'UTC',
    textual: isoText(date, zone || 'UTC'),
  });
}

/** Compact text: 3600 s is `1h`, 172800 s is `2d`, 5400 s is `1h30m`, nothing is `0s`. */
export function durationText(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
    ['s', 1],
  ] as const;
  let rest = Math.abs(Math.trunc(seconds));
  let text = '';
  for (const [unit, size] of units) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) text += `${seconds < 0 ? '-' : ''}${amount}${unit}`;
  }
  return text || '0s';
}

export function presentDuration(seconds: number): Duration {
  const whole = Math.trunc(seconds);
  return create(DurationSchema, {
    duration: { seconds: BigInt(whole), nanos: Math.round((seconds - whole) * 1e9) },
    textual: durationText(seconds),
  });
}

export function presentLocation(point: { latitude: number; longitude: number }): Location {
  return create(LocationSchema, { ...point, textual: `[${point.latitude},${point.longitude}]` });
}

export function presentBytes(bytes: Uint8Array): BytesOrHex {
  return create(BytesOrHexSchema, { bytes, hex: Buffer.from(bytes).toString('hex').toUpperCase() });
}

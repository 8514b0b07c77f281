/**
 * Values as the contract writes them: every structured form beside its text (contract: Timestamp, Duration, Location,
 * BytesOrHex).
 */
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { BytesOrHex, Duration, Location, Timestamp } from '#proto/hiber/base_pb';
import { BytesOrHexSchema, DurationSchema, LocationSchema, TimestampSchema } from '#proto/hiber/base_pb';

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** ISO 8601 in the zone, e.g. `2018-01-01T14:00:00+01:00`; `Z` for UTC. Milliseconds only when there are any. */
function isoText(date: Date, zone = 'UTC'): string {
  if (zone === 'UTC') return date.toISOString().replace('.000Z', 'Z');
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(date)) part[type] = value;
  const milliseconds = date.getUTCMilliseconds();
  const fraction = milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}`;
  // 'GMT', 'GMT+01:00'
  const offset = (part.timeZoneName ?? 'GMT').slice(3) || 'Z';
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}${fraction}${offset}`;
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

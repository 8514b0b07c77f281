import type { JsonValue, MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';

import type {
  Date as CalendarDay,
  Duration,
  DurationSchema,
  TimeRangeSchema,
  Timestamp,
} from '#proto/gen/hiber/base_pb.ts';

/**
 * Returns a timestamp in ms since the epoch. An unset timestamp may arrive as an empty message (contract: Timestamp).
 */
export function toMs(timestamp: Timestamp | undefined): number | undefined {
  return timestamp?.timestamp ? timestampMs(timestamp.timestamp) : undefined;
}

/** Returns a timestamp as text, in the time zone that the server chose, or else in UTC. */
export function textOf(timestamp: Timestamp | undefined): string | undefined {
  const ms = toMs(timestamp);
  return timestamp?.textual || (ms === undefined ? undefined : new Date(ms).toISOString());
}

/** Returns the start of a calendar day in UTC, in ms since the epoch. */
export function dayOf(date: CalendarDay | undefined): number | undefined {
  if (!date) return undefined;
  const { year, month, day, textual } = date;
  const ms = year && month && day ? Date.UTC(year, month - 1, day) : Date.parse(textual ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the name of an enum value. Undefined if this version of the contract does not define it. */
export function enumName(enumObject: Readonly<Record<string, number>>, value: number): string | undefined {
  return Object.keys(enumObject).find((name) => enumObject[name] === value);
}

/** Returns the whole seconds of a duration. */
export function toSeconds(duration: Duration | undefined): number | undefined {
  return duration?.duration ? Number(duration.duration.seconds) : undefined;
}

export function durationInit(seconds: number): MessageInitShape<typeof DurationSchema> {
  return { duration: { seconds: BigInt(Math.round(seconds)), nanos: 0 } };
}

/**
 * The range of all time until now. It is sent explicitly, because the contract does not define the meaning of an absent
 * range (MessageService).
 */
export const ALL_TIME: MessageInitShape<typeof TimeRangeSchema> = {
  start: { textual: '1970-01-01T00:00:00Z' },
  end: { textual: 'now' },
};

/** Pretty-prints JSON. Returns other text unchanged. */
export function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text) as JsonValue, null, 2);
  } catch {
    return text;
  }
}

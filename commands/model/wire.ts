import type { JsonValue, MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';

import type {
  Date as CalendarDay,
  Duration,
  DurationSchema,
  TimeRangeSchema,
  Timestamp,
} from '#proto/gen/hiber/base_pb.ts';

/** A moment in ms since the epoch. An unset one may arrive as an empty message (contract: Timestamp). */
export function msOf(at: Timestamp | undefined): number | undefined {
  return at?.timestamp ? timestampMs(at.timestamp) : undefined;
}

/** The text of a moment in the zone the server chose for it, else in UTC. */
export function textOf(at: Timestamp | undefined): string | undefined {
  const ms = msOf(at);
  return at?.textual || (ms === undefined ? undefined : new Date(ms).toISOString());
}

/** Where a calendar day begins in UTC, in ms since the epoch. */
export function dayOf(date: CalendarDay | undefined): number | undefined {
  if (!date) return undefined;
  const { year, month, day, textual } = date;
  const at = year && month && day ? Date.UTC(year, month - 1, day) : Date.parse(textual ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** The name of an enum's value; undefined for one that this version of the contract does not know. */
export function enumName(readonly: Readonly<Record<string, number>>, value: number): string | undefined {
  return Object.keys(readonly).find((name) => readonly[name] === value);
}

/** Whole seconds. */
export function secondsOf(duration: Duration | undefined): number | undefined {
  return duration?.duration ? Number(duration.duration.seconds) : undefined;
}

export function durationInit(seconds: number): MessageInitShape<typeof DurationSchema> {
  return { duration: { seconds: BigInt(Math.round(seconds)), nanos: 0 } };
}

/** From the beginning until now: what an absent range means is not stated (contract: MessageService). */
export const EVER: MessageInitShape<typeof TimeRangeSchema> = {
  start: { textual: '1970-01-01T00:00:00Z' },
  end: { textual: 'now' },
};

/** A text of JSON laid out for reading; text that is no JSON stays as it is. */
export function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text) as JsonValue, null, 2);
  } catch {
    return text;
  }
}

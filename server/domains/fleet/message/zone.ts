import type { CountMessages_Request } from '#proto/gen/hiber/message_pb.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { requireTimeZone } from '#server/wire/time-zones.ts';

/** The largest UTC offset in use, in hours. */
const MAX_HOURS = 14;

/**
 * Returns the time zone for counting messages per day, in PostgreSQL's format. Defaults to UTC. The name takes
 * precedence over the offset because it accounts for daylight saving time. An offset of up to 14 is in hours, and a
 * larger one in minutes. The contract specifies neither rule.
 */
export function readZone({
  timeZone,
  timeZoneOffset,
}: Pick<CountMessages_Request, 'timeZone' | 'timeZoneOffset'>): string {
  if (timeZone) return requireTimeZone(timeZone, 'time_zone');
  const offset = timeZoneOffset ?? 0;
  const minutes = Math.abs(offset) <= MAX_HOURS ? offset * 60 : offset;
  if (Math.abs(minutes) > MAX_HOURS * 60) {
    throw invalidArgument(`"time_zone_offset" ${offset} is out of range. Enter hours from -14 to 14, or minutes.`);
  }
  const sign = minutes < 0 ? '-' : '+';
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const text = `${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`;
  // A POSIX zone name has the opposite sign because its offset counts hours west of UTC.
  return `<${sign}${text}>${sign === '-' ? '+' : '-'}${text}`;
}

import type { CountMessages_Request } from '#proto/gen/hiber/message_pb.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/** The largest offset in use anywhere is 14 hours. */
const MAX_HOURS = 14;

/**
 * Where the days of a count begin, as PostgreSQL takes it. The name wins over the offset, as it knows about summer
 * time; an offset is taken as hours while it can be one, and as minutes beyond (its unit and precedence are not
 * stated). Neither is UTC.
 */
export function zoneOf({
  timeZone,
  timeZoneOffset,
}: Pick<CountMessages_Request, 'timeZone' | 'timeZoneOffset'>): string {
  if (timeZone) return requireZone(timeZone);
  const offset = timeZoneOffset ?? 0;
  const minutes = Math.abs(offset) <= MAX_HOURS ? offset * 60 : offset;
  if (Math.abs(minutes) > MAX_HOURS * 60) {
    throw invalidArgument(`time_zone_offset ${offset} is not an offset: it is in hours from -14 to 14, or in minutes.`);
  }
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  const text = `${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  // As an interval east of UTC: in a POSIX zone name the sign would mean the opposite.
  return `<${sign}${text}>${sign === '-' ? '+' : '-'}${text}`;
}

function requireZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    throw invalidArgument(`time_zone "${name}" is not a time zone: write a name such as Europe/Amsterdam.`);
  }
}

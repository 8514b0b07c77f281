import { and, eq, sql } from 'drizzle-orm';

import type { LocationHistory_Request } from '#proto/gen/hiber/map_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';
import { readTimeRange } from '#server/wire/timestamps.ts';

import type { Stay } from './track.ts';

const DAY = 86_400_000;
/** The default time range (contract: MapService.LocationHistory). */
const DEFAULT_DAYS = 7;
/** The maximum number of positions to simplify, which takes quadratic time for the most unfavorable track. */
const MAX_POSITIONS = 10_000;

interface Track {
  /** The positions in order of time. Repetitions of a position are one stay. */
  readonly track: readonly Stay[];
  /** The time zone of the device. */
  readonly zone: string;
}

/**
 * Loads the positions that a device's messages report, by time sent.
 *
 * @throws ConnectError NOT_FOUND for a device that the caller can't see, INVALID_ARGUMENT for an invalid range, or for
 *   one with too many positions
 */
export async function loadTrack(
  db: Executor,
  caller: Scope,
  { modemNumber, timeRange }: LocationHistory_Request,
  now: Date,
): Promise<Track> {
  const number = deviceNumber(modemNumber);
  const { start, end } = readTimeRange(timeRange, now);
  const [row] = await db
    .select({ timeZone: device.timeZone })
    .from(device)
    .where(and(visibleDevices(deviceScope(caller)), eq(device.number, number)));
  if (!row) throw notFound(`${caller.organization} has no device ${number}.`);
  const to = end ?? now;
  const from = start ?? new Date(to.getTime() - DEFAULT_DAYS * DAY);
  // A position that repeats the previous one extends its stay, so a device that doesn't move has one row.
  const { rows } = await db.execute<{ latitude: number; longitude: number; start: number; end: number }>(sql`
    with position as (
      select ${message.sentAt} as sent, ${message.id} as id, ${message.latitude} as latitude,
             ${message.longitude} as longitude,
             (${message.latitude}, ${message.longitude}) is distinct from
               (lag(${message.latitude}) over sent_order, lag(${message.longitude}) over sent_order) as moved
        from ${message}
       where ${message.organization} = ${caller.organization} and ${message.number} = ${number}
         and ${message.sentAt} between ${from.toISOString()} and ${to.toISOString()}
         and ${message.latitude} is not null and ${message.longitude} is not null
      window sent_order as (order by ${message.sentAt}, ${message.id})
    ), numbered as (
      select *, count(*) filter (where moved) over (order by sent, id) as stay from position
    )
    select latitude, longitude,
           (extract(epoch from min(sent)) * 1000)::float8 as start, (extract(epoch from max(sent)) * 1000)::float8 as "end"
      from numbered group by stay, latitude, longitude order by stay limit ${MAX_POSITIONS + 1}`);
  if (rows.length > MAX_POSITIONS)
    throw invalidArgument(`Only ${MAX_POSITIONS} positions can be simplified at a time. Choose a shorter time range.`);
  return { track: rows, zone: row.timeZone ?? 'UTC' };
}

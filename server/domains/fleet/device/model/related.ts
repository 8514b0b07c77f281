import { and, between, gte, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { keyRows } from '#server/db/key-rows.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { message } from '#server/db/schema/message.ts';
import { processPoint, processPointDevice } from '#server/db/schema/process-point.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { type FileRow, loadDeviceFiles } from '#server/domains/data/file/files.ts';
import { deviceFile } from '#server/domains/data/file/schema.ts';
import { presentHealthLevel } from '#server/events/health-level.ts';

import { type ListedDevice, type PointOfDevice, type DeviceKey, organizationsOf, numbersOf } from './listed-device.ts';
import { type DeviceScope, visibleDevices } from './where.ts';

const DAY = 86_400_000;

interface RelatedData extends Record<string, unknown> {
  readonly levels: (typeof healthLevel.$inferSelect)[] | null;
  readonly tags: (ListedDevice['tags'][number] & { number: string })[] | null;
  readonly receivedCounts: { number: string; count: number }[] | null;
  readonly connectedCounts: { number: string; count: number }[] | null;
  readonly points: (PointOfDevice & { number: string })[] | null;
  readonly hasFiles: boolean;
}

/**
 * Loads the device data that is stored in other tables. Uses a single statement because round trips dominate the cost
 * of small queries.
 */
export async function loadRelatedData(db: Executor, scope: DeviceScope, keys: readonly DeviceKey[], now: Date) {
  const organizations = organizationsOf(keys);
  const numbers = numbersOf(keys);
  const parts = {
    levels: levelsQuery(organizations),
    tags: tagsQuery(keys),
    receivedCounts: receivedQuery(keys, now),
    connectedCounts: connectedQuery(scope, numbers),
    points: pointsQuery(keys),
  };
  const lists = Object.entries(parts).map(
    ([name, part]) => sql`(select json_agg(part) from (${part}) as part) as ${sql.identifier(name)}`,
  );
  const { rows } = await executePrepared<RelatedData>(
    db,
    sql`
    select ${sql.join(lists, sql`, `)}, exists (
      select from ${keyRows(keys)} as key (organization, number) join ${deviceFile} using (organization, number)
    ) as "hasFiles"`,
  );
  const { levels, tags, receivedCounts, connectedCounts, points, hasFiles } = rows[0] ?? {};
  const counts = (list: RelatedData['receivedCounts'] = []) =>
    new Map(list?.map(({ number, count }) => [number, count]));
  return {
    levels: new Map(levels?.map((row) => [`${row.organization}/${row.level}`, presentHealthLevel(row)])),
    tags: groupBy(tags ?? [], ({ number }) => number),
    receivedCounts: counts(receivedCounts),
    connectedCounts: counts(connectedCounts),
    points: groupBy(points ?? [], ({ number }) => number),
    // Few devices have files.
    files: hasFiles ? await loadDeviceFiles(db, organizations, numbers) : new Map<string, FileRow[]>(),
  };
}

const levelsQuery = (organizations: readonly string[]): SQL => sql`
  select ${healthLevel.organization}, ${healthLevel.level}, ${healthLevel.severity},
         ${healthLevel.catchAll} as "catchAll", ${healthLevel.colorData} as "colorData"
    from ${healthLevel} where ${anyOf(healthLevel.organization, organizations)}`;

/**
 * Selects tags in TagService's order. The lateral joins look up the tags of each device, and then each tag. The planner
 * would otherwise read all tags of the organization, or, once it stops planning the prepared statement for each list of
 * keys, look for the numbers in the whole index by tag. Sorts per device, so only a few names are compared at a time.
 */
const tagsQuery = (keys: readonly DeviceKey[]): SQL => sql`
  select key.number, label.*
    from ${keyRows(keys)} as key (organization, number)
   cross join lateral (
     select ${deviceTag.tag} from ${deviceTag}
      where ${deviceTag.organization} = key.organization and ${deviceTag.number} = key.number offset 0
   ) as assigned
   cross join lateral (
     select ${tag.id}, ${tag.name}, ${tag.type}, ${tag.priority} from ${tag}
      where ${tag.organization} = key.organization and ${tag.id} = assigned.tag limit 1
   ) as label
   order by key.number collate "C", label.priority desc, ${naturalOrder(sql`label.name`)}, label.id`;

const pointsQuery = (keys: readonly DeviceKey[]): SQL => sql`
  select ${processPointDevice.number}, point.* from ${keyRows(keys)} as key (organization, number)
    join ${processPointDevice} on ${processPointDevice.organization} = key.organization
      and ${processPointDevice.number} = key.number
   cross join lateral (
     select ${processPoint.identifier}, ${processPoint.name}, ${processPoint.type} from ${processPoint}
      where ${processPoint.organization} = ${processPointDevice.organization}
        and ${processPoint.identifier} = ${processPointDevice.point} limit 1
   ) as point
   where ${processPointDevice.until} is null
   order by ${processPointDevice.number}, ${naturalOrder(sql`point.name`)}, point.identifier`;

/**
 * Counts the messages of the last 24 hours. The lateral join uses the index for each device. Otherwise the planner
 * would read all messages of the day because new partitions have no statistics. The two bounds on the time of receipt
 * let the planner skip the other partitions.
 */
const receivedQuery = (keys: readonly DeviceKey[], now: Date): SQL => sql`
  select key.number, messages.count
    from ${keyRows(keys)} as key (organization, number)
   cross join lateral (
     select count(*)::int as count from ${message}
      where ${message.organization} = key.organization and ${message.number} = key.number
        and ${gte(message.sentAt, new Date(now.getTime() - DAY))}
        and ${between(message.receivedAt, new Date(now.getTime() - DAY), now)}
   ) as messages`;

/** Counts the devices connected to each gateway. The lateral join uses the index for each, see {@link keyRows}. */
const connectedQuery = (scope: DeviceScope, gateways: readonly string[]): SQL => sql`
  select key.number, connected.count from unnest(${sql.param([...gateways])}::text[]) as key (number)
   cross join lateral (
     select count(*)::int as count from ${device}
      where ${and(visibleDevices(scope), sql`${device.gateway} = key.number`)}
   ) as connected
   where connected.count > 0`;

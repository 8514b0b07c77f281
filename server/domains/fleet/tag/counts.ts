import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';

import { noneOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';
import { tagDeviceCount } from '#server/db/schema/tag-device-count.ts';
import { deviceTag, webhookTag } from '#server/db/schema/tag.ts';
import { type DeviceCriteria, selectsEverything } from '#server/domains/fleet/device/model/criteria.ts';
import {
  type DeviceScope,
  deviceWhere,
  hiddenFrom,
  optInLifecycles,
  visibleDevices,
} from '#server/domains/fleet/device/model/where.ts';

/** The number of items by tag id. */
export type CountByTag = ReadonlyMap<number, number>;

/**
 * Counts the devices that match the criteria for each tag. By default, counts all devices that the caller may see.
 * Omits tags without devices.
 */
export async function countDevicesByTag(
  db: Executor,
  scope: DeviceScope,
  criteria?: DeviceCriteria,
): Promise<CountByTag> {
  if (criteria === undefined) return readStoredCounts(db, scope, hiddenFrom(scope));
  if (selectsEverything(criteria)) return readStoredCounts(db, scope, [...hiddenFrom(scope), ...optInLifecycles]);
  const rows = await db
    .select({ tag: deviceTag.tag, count: sql<number>`count(*)::int` })
    .from(deviceTag)
    .innerJoin(device, and(eq(device.organization, deviceTag.organization), eq(device.number, deviceTag.number)))
    .where(and(eq(deviceTag.organization, scope.home), deviceWhere(scope, criteria)))
    .groupBy(deviceTag.tag);
  return new Map(rows.map((row) => [row.tag, row.count]));
}

/** Reads the stored counts of the devices that are not in the excluded lifecycles. */
async function readStoredCounts(
  db: Executor,
  scope: DeviceScope,
  excludedLifecycles: readonly number[],
): Promise<CountByTag> {
  const { rows } = await db.execute<StoredCounts>(sql`
    select ${storedCounts} from ${tagDeviceCount} where ${countsWhere(scope, excludedLifecycles)}`);
  return sumByTag(rows[0]);
}

/** The tag and the number of devices of each stored row, in the same order. */
interface StoredCounts extends Record<string, unknown> {
  readonly tags: readonly number[] | null;
  readonly devices: readonly number[] | null;
}

const storedCounts = sql`json_agg(${tagDeviceCount.tag}) as tags, json_agg(${tagDeviceCount.devices}) as devices`;

/**
 * Adds up the stored rows of each tag, several times faster than the database would. Omits tags without devices. Counts
 * with an index because an iterator would create an object for each of the many rows.
 */
function sumByTag({ tags, devices }: StoredCounts = { tags: null, devices: null }): CountByTag {
  const sums = new Map<number, number>();
  if (tags === null || devices === null) return sums;
  for (let index = 0; index < tags.length; index += 1) {
    const id = tags[index] ?? 0;
    sums.set(id, (sums.get(id) ?? 0) + (devices[index] ?? 0));
  }
  for (const [id, sum] of sums) if (sum === 0) sums.delete(id);
  return sums;
}

const countsWhere = ({ home }: DeviceScope, excludedLifecycles: readonly number[]): SQL | undefined =>
  and(eq(tagDeviceCount.organization, home), noneOf(tagDeviceCount.lifecycle, excludedLifecycles));

export async function countWebhooksByTag(db: Executor, organization: string): Promise<CountByTag> {
  const rows = await db
    .select({ tag: webhookTag.tag, count: sql<number>`count(*)::int` })
    .from(webhookTag)
    .where(eq(webhookTag.organization, organization))
    .groupBy(webhookTag.tag);
  return new Map(rows.map((row) => [row.tag, row.count]));
}

export async function countPointsByTag(db: Executor, organization: string): Promise<CountByTag> {
  const rows = await db
    .select({ tag: processPointTag.tag, count: sql<number>`count(*)::int` })
    .from(processPointTag)
    .where(eq(processPointTag.organization, organization))
    .groupBy(processPointTag.tag);
  return new Map(rows.map((row) => [row.tag, row.count]));
}

/**
 * Counts the process points by health level and tag. The level of a process point is the most severe level of the
 * visible devices that measure it now (not specified in the contract); a process point without any isn't counted.
 */
export async function countPointsByLevel(db: Executor, scope: DeviceScope): Promise<Map<string, CountByTag>> {
  const { rows } = await db.execute<{ level: string; counts: Record<string, number> }>(sql`
    select level, json_object_agg(tag, points) as counts from (
      select measured.level, ${processPointTag.tag} as tag, count(*)::int as points from (
        select distinct on (${processPointDevice.point}) ${processPointDevice.point} as point,
            ${device.healthLevel} collate "C" as level
          from ${processPointDevice}
          join ${device} on ${device.organization} = ${processPointDevice.organization}
           and ${device.number} = ${processPointDevice.number}
          join ${healthLevel} on ${healthLevel.organization} = ${device.organization}
           and ${healthLevel.level} = ${device.healthLevel}
         where ${and(eq(processPointDevice.organization, scope.home), isNull(processPointDevice.until), visibleDevices(scope))}
         order by ${processPointDevice.point}, ${healthLevel.severity} desc
      ) as measured
      join ${processPointTag} on ${processPointTag.organization} = ${scope.home}
       and ${processPointTag.point} = measured.point
       group by measured.level, ${processPointTag.tag}
    ) as counted group by level`);
  return new Map(
    rows.map(({ level, counts }) => [
      level,
      new Map(Object.entries(counts).map(([id, points]) => [Number(id), points])),
    ]),
  );
}

/** Counts the visible devices by health level and tag. Omits tags without devices at the level. */
export async function countDevicesByLevel(db: Executor, scope: DeviceScope): Promise<Map<string, CountByTag>> {
  const { rows } = await db.execute<StoredCounts & { level: string }>(sql`
    select ${tagDeviceCount.healthLevel} collate "C" as level, ${storedCounts} from ${tagDeviceCount}
     where ${countsWhere(scope, hiddenFrom(scope))} group by 1`);
  return new Map(rows.map((row) => [row.level, sumByTag(row)]));
}

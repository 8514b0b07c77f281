import { and, between, count, gte, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

import { groupBy } from '#commands/text/group-by.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Database, Executor } from '#server/db/database.ts';
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
import type { Page } from '#server/wire/pagination.ts';

import type { OrderBy } from './sort.ts';
import { type DeviceScope, visibleDevices } from './where.ts';

const DAY = 86_400_000;

export type DeviceRow = typeof device.$inferSelect;

/** A device with the related data that responses contain. */
export interface ListedDevice {
  readonly row: DeviceRow;
  readonly level: HealthLevel | undefined;
  readonly tags: { id: number; name: string; type: string; priority: number }[];
  readonly files: FileRow[];
  /** The number of messages in the last 24 hours. */
  readonly receivedCount: number;
  /** The number of devices that this gateway relays for. */
  readonly connectedCount: number;
  /** The process points that it measures now, sorted by name. */
  readonly points: readonly PointOfDevice[];
}

/** A process point in the trimmed form that devices contain (contract: Modem fields). */
export type PointOfDevice = Pick<typeof processPoint.$inferSelect, 'identifier' | 'name' | 'type'>;

export interface DeviceKey extends Record<string, unknown> {
  readonly organization: string;
  readonly number: string;
}

export async function countDevices(db: Executor, where: SQL | undefined): Promise<number> {
  return db.$count(device, where);
}

/** Selects a page of device keys in order. Sorting only the keys is cheap even in a large fleet. */
const keysQuery = (where: SQL | undefined, { joins, order }: OrderBy, { limit, offset }: KeyRange): SQL => sql`
  select ${device.organization}, ${device.number} from ${device} ${joins ?? sql``}
   where ${where ?? sql`true`} order by ${order} limit ${limit + 1} offset ${offset}`;

type KeyRange = Pick<Page, 'limit' | 'offset'>;

interface KeyPage {
  readonly total: number;
  readonly keys: DeviceKey[];
}

/**
 * Returns the total if it follows from the keys, and undefined if it must be counted. The query requests an extra key.
 * If that key is missing, this is the last page, so the total is known.
 */
function deriveTotal(keys: readonly DeviceKey[], { limit, offset }: KeyRange): number | undefined {
  const isLast = keys.length <= limit && (keys.length > 0 || offset === 0);
  return isLast ? offset + keys.length : undefined;
}

/**
 * Lists a page of device keys in order. `findTotal` counts all devices that match, so the database can count while this
 * process reads the devices on the page.
 */
export async function listDeviceKeys(
  db: Database,
  where: SQL | undefined,
  order: OrderBy,
  range: KeyRange,
): Promise<{ readonly keys: DeviceKey[]; readonly findTotal: () => Promise<number> }> {
  const rows = await executeSorted<DeviceKey>(db, keysQuery(where, order, range), order);
  return {
    keys: rows.slice(0, range.limit),
    findTotal: async () => deriveTotal(rows, range) ?? (await countDevices(db.orm, where)),
  };
}

/** Lists a page of device keys, in order, and the total for each gateway, using a constant number of statements. */
export async function listDeviceKeysPerGateway(
  db: Database,
  where: SQL | undefined,
  order: OrderBy,
  range: KeyRange,
  gateways: readonly string[],
): Promise<Map<string, KeyPage>> {
  if (gateways.length === 0) return new Map();
  const content = keysQuery(and(where, sql`${device.gateway} = parent.number`), order, range);
  const rows = await executeSorted<{ gateway: string; keys: DeviceKey[] | null }>(
    db,
    sql`select parent.number as gateway, (select json_agg(key) from (${content}) as key) as keys
      from unnest(${sql.param([...gateways])}::text[]) as parent (number)`,
    order,
  );
  const rowsToCount = rows.filter(({ keys }) => deriveTotal(keys ?? [], range) === undefined);
  const totals = await countPerGateway(
    db.orm,
    where,
    rowsToCount.map(({ gateway }) => gateway),
  );
  return new Map(
    rows.map(({ gateway, keys }) => {
      const total = deriveTotal(keys ?? [], range) ?? totals.get(gateway) ?? 0;
      return [gateway, { total, keys: (keys ?? []).slice(0, range.limit) }];
    }),
  );
}

async function countPerGateway(
  db: Executor,
  where: SQL | undefined,
  gateways: readonly string[],
): Promise<Map<string | null, number>> {
  if (gateways.length === 0) return new Map();
  const rows = await db
    .select({ gateway: device.gateway, total: count() })
    .from(device)
    .where(and(where, anyOf(device.gateway, gateways)))
    .groupBy(device.gateway);
  return new Map(rows.map(({ gateway, total }) => [gateway, total]));
}

/** Runs a query that sorts devices. The caller specifies the type of its rows. */
async function executeSorted<Row>(db: Database, query: SQL, { joins }: OrderBy): Promise<Row[]> {
  const { rows } = joins === undefined ? await db.orm.execute(query) : await withHashJoins(db, query);
  return rows as Row[];
}

/**
 * Runs a query over whole tables with hash joins. The planner does not know about rows written since the last ANALYZE,
 * so it assumes almost empty tables and uses nested loops. These take minutes for 48 devices with 300 tags each.
 */
function withHashJoins(db: Database, query: SQL): Promise<{ rows: unknown[] }> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_nestloop = off`);
    return tx.execute(query);
  });
}

const organizationsOf = (keys: readonly DeviceKey[]): string[] => [
  ...new Set(keys.map(({ organization }) => organization)),
];
const numbersOf = (keys: readonly DeviceKey[]): string[] => keys.map(({ number }) => number);

/** Numbers are unique in the whole installation. The organizations only let the query use an index. */
function matchesKeys(
  item: { organization: AnyPgColumn; number: AnyPgColumn },
  keys: readonly DeviceKey[],
): SQL | undefined {
  return and(anyOf(item.organization, organizationsOf(keys)), anyOf(item.number, numbersOf(keys)));
}

/** Loads the devices with the given keys, in the same order. Leaves out devices deleted in the meantime. */
export async function loadDevices(
  db: Executor,
  scope: DeviceScope,
  keys: readonly DeviceKey[],
  now: Date,
): Promise<ListedDevice[]> {
  if (keys.length === 0) return [];
  const rows = await db.select().from(device).where(matchesKeys(device, keys)).prepare('listed_devices').execute();
  const { levels, tags, receivedCounts, connectedCounts, points, files } = await loadRelatedData(db, scope, keys, now);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return keys.flatMap(({ number }) => {
    const row = byNumber.get(number);
    if (row === undefined) return [];
    return {
      row,
      level: levels.get(`${row.organization}/${row.healthLevel}`),
      tags: tags.get(number) ?? [],
      files: files.get(number) ?? [],
      receivedCount: receivedCounts.get(number) ?? 0,
      connectedCount: connectedCounts.get(number) ?? 0,
      points: points.get(number) ?? [],
    };
  });
}

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
async function loadRelatedData(db: Executor, scope: DeviceScope, keys: readonly DeviceKey[], now: Date) {
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
    select ${sql.join(lists, sql`, `)}, exists (select from ${deviceFile}
      where ${matchesKeys(deviceFile, keys)}) as "hasFiles"`,
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
 * Selects tags in TagService's order. The lateral join looks up each tag of each device, because the planner would
 * otherwise read all tags of the organization. Sorts per device, so only a few names are compared at a time.
 */
const tagsQuery = (keys: readonly DeviceKey[]): SQL => sql`
  select ${deviceTag.number}, label.* from ${deviceTag}
   cross join lateral (
     select ${tag.id}, ${tag.name}, ${tag.type}, ${tag.priority} from ${tag}
      where ${tag.organization} = ${deviceTag.organization} and ${tag.id} = ${deviceTag.tag} limit 1
   ) as label
   where ${matchesKeys(deviceTag, keys)}
   order by ${deviceTag.number}, label.priority desc, ${naturalOrder(sql`label.name`)}, label.id`;

const pointsQuery = (keys: readonly DeviceKey[]): SQL => sql`
  select ${processPointDevice.number}, point.* from ${processPointDevice}
   cross join lateral (
     select ${processPoint.identifier}, ${processPoint.name}, ${processPoint.type} from ${processPoint}
      where ${processPoint.organization} = ${processPointDevice.organization}
        and ${processPoint.identifier} = ${processPointDevice.point} limit 1
   ) as point
   where ${matchesKeys(processPointDevice, keys)} and ${processPointDevice.until} is null
   order by ${processPointDevice.number}, ${naturalOrder(sql`point.name`)}, point.identifier`;

/**
 * Counts the messages of the last 24 hours. The lateral join uses the index for each device. Otherwise the planner
 * would read all messages of the day because new partitions have no statistics. The two bounds on the time of receipt
 * let the planner skip the other partitions.
 */
const receivedQuery = (keys: readonly DeviceKey[], now: Date): SQL => sql`
  select key.number, messages.count
    from unnest(${sql.param(keys.map(({ organization }) => organization))}::text[],
                ${sql.param(keys.map(({ number }) => number))}::text[]) as key (organization, number)
   cross join lateral (
     select count(*)::int as count from ${message}
      where ${message.organization} = key.organization and ${message.number} = key.number
        and ${gte(message.sentAt, new Date(now.getTime() - DAY))}
        and ${between(message.receivedAt, new Date(now.getTime() - DAY), now)}
   ) as messages`;

const connectedQuery = (scope: DeviceScope, gateways: readonly string[]): SQL => sql`
  select ${device.gateway} as number, count(*)::int from ${device}
   where ${and(visibleDevices(scope), sql`${device.gateway} = any(${sql.param([...gateways])}::text[])`)}
   group by ${device.gateway}`;

/**
 * Returns the gateways of the listed devices that are not listed themselves, ordered by number (contract:
 * ModemService.List).
 */
export function missingGateways(listedDevices: readonly ListedDevice[]): DeviceKey[] {
  const listedNumbers = new Set(listedDevices.map(({ row }) => row.number));
  const missingKeys = new Map<string, DeviceKey>();
  for (const { row } of listedDevices) {
    if (row.gateway === null || listedNumbers.has(row.gateway)) continue;
    missingKeys.set(row.gateway, { organization: row.organization, number: row.gateway });
  }
  return [...missingKeys.values()].sort((a, b) => (a.number < b.number ? -1 : 1));
}

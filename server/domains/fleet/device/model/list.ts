import { and, count, getTableColumns, type SQL, sql } from 'drizzle-orm';

import { anyOf } from '#server/db/any-of.ts';
import type { Database, Executor } from '#server/db/database.ts';
import { isKeyOf, keyRowsLater, keyValues } from '#server/db/key-rows.ts';
import { preparedOnce } from '#server/db/prepared.ts';
import { device } from '#server/db/schema/device.ts';
import type { Page } from '#server/wire/pagination.ts';

import { type ListedDevice, type DeviceKey } from './listed-device.ts';
import { loadRelatedData } from './related.ts';
import type { OrderBy } from './sort.ts';
import type { DeviceScope } from './where.ts';

/** Selects a page of device keys in order. Sorting only the keys is cheap even in a large fleet. */
const keysQuery = (where: SQL | undefined, { joins, order }: OrderBy, { limit, offset }: KeyRange): SQL => sql`
  select ${device.organization}, ${device.number} from ${device} ${joins ?? sql``}
   where ${where ?? sql`true`} order by ${order} limit ${limit + 1} offset ${offset}`;

type KeyRange = Pick<Page, 'limit' | 'offset'>;

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
 *
 * @param count counts the devices that match `where`
 */
export async function listDeviceKeys(
  db: Database,
  where: SQL | undefined,
  order: OrderBy,
  range: KeyRange,
  count: () => Promise<number>,
): Promise<{ readonly keys: DeviceKey[]; readonly findTotal: () => Promise<number> }> {
  const rows = await executeSorted<DeviceKey>(db, keysQuery(where, order, range), order);
  return {
    keys: rows.slice(0, range.limit),
    findTotal: async () => deriveTotal(rows, range) ?? (await count()),
  };
}

/**
 * Lists a page of device keys for each gateway, in order, with one statement. `findTotals` counts all devices that
 * match for each gateway, so the database can count while this process reads the devices.
 */
export async function listDeviceKeysPerGateway(
  db: Database,
  where: SQL | undefined,
  order: OrderBy,
  range: KeyRange,
  gateways: readonly string[],
): Promise<{
  readonly keys: ReadonlyMap<string, DeviceKey[]>;
  readonly findTotals: () => Promise<ReadonlyMap<string, number>>;
}> {
  if (gateways.length === 0) return { keys: new Map(), findTotals: () => Promise.resolve(new Map()) };
  const content = keysQuery(and(where, sql`${device.gateway} = parent.number`), order, range);
  const rows = await executeSorted<{ gateway: string; keys: DeviceKey[] | null }>(
    db,
    sql`select parent.number as gateway, (select json_agg(key) from (${content}) as key) as keys
      from unnest(${sql.param([...gateways])}::text[]) as parent (number)`,
    order,
  );
  const totals = new Map(rows.map(({ gateway, keys }) => [gateway, deriveTotal(keys ?? [], range)]));
  const gatewaysToCount = gateways.filter((gateway) => totals.get(gateway) === undefined);
  return {
    keys: new Map(rows.map(({ gateway, keys }) => [gateway, (keys ?? []).slice(0, range.limit)])),
    async findTotals() {
      const counts = await countPerGateway(db.orm, where, gatewaysToCount);
      return new Map(gateways.map((gateway) => [gateway, totals.get(gateway) ?? counts.get(gateway) ?? 0]));
    },
  };
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

const devicesByKey = preparedOnce((db) =>
  db
    .select(getTableColumns(device))
    .from(device)
    .innerJoin(sql`${keyRowsLater()} as key (organization, number)`, isKeyOf(device))
    .prepare('listed_devices'),
);

/** Loads the devices with the given keys, in the same order. Leaves out devices deleted in the meantime. */
export async function loadDevices(
  db: Executor,
  scope: DeviceScope,
  keys: readonly DeviceKey[],
  now: Date,
): Promise<ListedDevice[]> {
  if (keys.length === 0) return [];
  // The database reads the related data while this process decodes the devices.
  const [rows, { levels, tags, receivedCounts, connectedCounts, points, files }] = await Promise.all([
    devicesByKey(db).execute(keyValues(keys)),
    loadRelatedData(db, scope, keys, now),
  ]);
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

import { inArray, max, type SQL, sql, type SQLWrapper } from 'drizzle-orm';

import { Sort as DeviceSort } from '#proto/gen/hiber/device_pb.ts';
import { ListModemsRequest_Sort as ModemSort, Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { processPoint, processPointDevice } from '#server/db/schema/process-point.ts';
import { deviceTag } from '#server/db/schema/tag.ts';

import { tagNameJoin } from './tag-names.ts';

/** The sort keys for devices. */
type SortKey =
  | 'name'
  | 'number'
  | 'activity'
  | 'lifecycle'
  | 'lifecycle-name'
  | 'organization'
  | 'process-point'
  | 'health'
  | 'health-name'
  | 'brand'
  | 'type'
  | 'well'
  | 'site'
  | 'production_area';

export interface Order {
  readonly key: SortKey;
  readonly descending: boolean;
}

const ascending = (key: SortKey): Order => ({ key, descending: false });
const descending = (key: SortKey): Order => ({ key, descending: true });

const modemOrders: Record<ModemSort, Order> = {
  [ModemSort.LAST_MESSAGE_RECEIVED]: descending('activity'),
  [ModemSort.LAST_MESSAGE_RECEIVED_INVERTED]: ascending('activity'),
  [ModemSort.MODEM_NUMBER_ASC]: ascending('number'),
  [ModemSort.MODEM_NUMBER_DESC]: descending('number'),
  [ModemSort.STATUS_ASC]: ascending('lifecycle'),
  [ModemSort.STATUS_DESC]: descending('lifecycle'),
  [ModemSort.STATUS_ASC_ALPHABETICAL]: ascending('lifecycle-name'),
  [ModemSort.STATUS_DESC_ALPHABETICAL]: descending('lifecycle-name'),
  [ModemSort.MODEM_NAME_ASC]: ascending('name'),
  [ModemSort.MODEM_NAME_DESC]: descending('name'),
  [ModemSort.ORGANIZATION_ASC]: ascending('organization'),
  [ModemSort.ORGANIZATION_DESC]: descending('organization'),
  [ModemSort.PROCESS_POINT_ASC]: ascending('process-point'),
  [ModemSort.PROCESS_POINT_DESC]: descending('process-point'),
  [ModemSort.HEALTH]: ascending('health'),
  [ModemSort.HEALTH_DESC]: descending('health'),
  [ModemSort.HEALTH_ASC_ALPHABETICAL]: ascending('health-name'),
  [ModemSort.HEALTH_DESC_ALPHABETICAL]: descending('health-name'),
  [ModemSort.SENSOR_BRAND_ASC]: ascending('brand'),
  [ModemSort.SENSOR_BRAND_DESC]: descending('brand'),
  [ModemSort.DEVICE_TYPE_ASC]: ascending('type'),
  [ModemSort.DEVICE_TYPE_DESC]: descending('type'),
  [ModemSort.TAG_TYPE_WELL_ASC]: ascending('well'),
  [ModemSort.TAG_TYPE_WELL_DESC]: descending('well'),
  [ModemSort.TAG_TYPE_SITE_ASC]: ascending('site'),
  [ModemSort.TAG_TYPE_SITE_DESC]: descending('site'),
  [ModemSort.TAG_TYPE_PRODUCTION_AREA_ASC]: ascending('production_area'),
  [ModemSort.TAG_TYPE_PRODUCTION_AREA_DESC]: descending('production_area'),
};

const deviceOrders: Record<DeviceSort, Order> = {
  [DeviceSort.DEVICE_NAME_ASC]: ascending('name'),
  [DeviceSort.DEVICE_NAME_DESC]: descending('name'),
  [DeviceSort.DEVICE_NUMBER_ASC]: ascending('number'),
  [DeviceSort.DEVICE_NUMBER_DESC]: descending('number'),
  [DeviceSort.ACTIVITY]: descending('activity'),
  [DeviceSort.INACTIVITY]: ascending('activity'),
  [DeviceSort.LIFECYCLE_ASC]: ascending('lifecycle'),
  [DeviceSort.LIFECYCLE_DESC]: descending('lifecycle'),
  [DeviceSort.LIFECYCLE_ALPHABETICAL_ASC]: ascending('lifecycle-name'),
  [DeviceSort.LIFECYCLE_ALPHABETICAL_DESC]: descending('lifecycle-name'),
  [DeviceSort.ORGANIZATION_ASC]: ascending('organization'),
  [DeviceSort.ORGANIZATION_DESC]: descending('organization'),
  [DeviceSort.PROCESS_POINT_ASC]: ascending('process-point'),
  [DeviceSort.PROCESS_POINT_DESC]: descending('process-point'),
  [DeviceSort.HEALTH_ASC]: ascending('health'),
  [DeviceSort.HEALTH_DESC]: descending('health'),
  [DeviceSort.HEALTH_ALPHABETICAL_ASC]: ascending('health-name'),
  [DeviceSort.HEALTH_ALPHABETICAL_DESC]: descending('health-name'),
  [DeviceSort.SENSOR_BRAND_ASC]: ascending('brand'),
  [DeviceSort.SENSOR_BRAND_DESC]: descending('brand'),
  [DeviceSort.DEVICE_TYPE_ASC]: ascending('type'),
  [DeviceSort.DEVICE_TYPE_DESC]: descending('type'),
  [DeviceSort.TAG_TYPE_WELL_ASC]: ascending('well'),
  [DeviceSort.TAG_TYPE_WELL_DESC]: descending('well'),
  [DeviceSort.TAG_TYPE_SITE_ASC]: ascending('site'),
  [DeviceSort.TAG_TYPE_SITE_DESC]: descending('site'),
  [DeviceSort.TAG_TYPE_PRODUCTION_AREA_ASC]: ascending('production_area'),
  [DeviceSort.TAG_TYPE_PRODUCTION_AREA_DESC]: descending('production_area'),
};

/** The valid sorts of a request, for `sorted_by`, and the corresponding orders. */
export interface Sorting<S> {
  readonly sortedBy: S[];
  readonly orders: Order[];
}

export const parseModemSort = (requestedSorts: readonly ModemSort[]): Sorting<ModemSort> =>
  resolveSort(requestedSorts, modemOrders, ModemSort.LAST_MESSAGE_RECEIVED);

export const parseDeviceSort = (requestedSorts: readonly DeviceSort[]): Sorting<DeviceSort> =>
  resolveSort(requestedSorts, deviceOrders, DeviceSort.DEVICE_NAME_ASC);

/**
 * Defaults to the zero value (contract: Pagination). Ignores values that aren't in the contract, and repeated sorts by
 * the same key.
 */
function resolveSort<S extends number>(
  requestedSorts: readonly S[],
  orders: Record<S, Order>,
  defaultSort: S,
): Sorting<S> {
  const seen = new Set<SortKey>();
  const validSorts = requestedSorts.filter((sort) => {
    const key = (orders[sort] as Order | undefined)?.key;
    if (key === undefined || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  const sortedBy = validSorts.length > 0 ? validSorts : [defaultSort];
  return { sortedBy, orders: sortedBy.map((sort) => orders[sort]) };
}

/** In the contract, "in enum order" means the order of declaration, which differs from the order of the numbers. */
const lifecycles = Object.values(Modem_Lifecycle);
const lifecyclesByName = Object.entries(Modem_Lifecycle)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([, lifecycle]) => lifecycle);

/** SQL for ORDER BY, and the joins it needs. */
export interface OrderBy {
  readonly joins: SQL | undefined;
  readonly order: SQL;
}

/** The brand that the console shows, which is in a separate column for gateways. Null if the device has neither. */
export const deviceBrand: SQL<string | null> =
  sql`coalesce(nullif(${device.sensorBrand}, ''), nullif(${device.gatewayBrand}, ''))`;

/**
 * Resolves the sort order. Devices without a value for the key come last in either direction (not specified in the
 * contract). The exception is INACTIVITY: devices that have never sent a message come first, because they have been
 * silent the longest. The number is always the last key, in the direction of the first key. That makes the order total
 * and lets PostgreSQL use an index on both keys.
 */
export async function resolveOrder(
  db: Executor,
  organizations: readonly string[],
  orders: readonly Order[],
): Promise<OrderBy> {
  const joins: SQL[] = [];
  const terms: SQL[] = [];
  for (const { key, descending: isDescending } of orders) {
    const direction = sql.raw(isDescending ? 'desc' : 'asc');
    const nullsLast = (value: SQL) => sql`${value} ${direction} nulls last`;
    if (key === 'name') {
      terms.push(sql`${naturalOrder(device.name)} ${direction}`);
    } else if (key === 'number' || key === 'organization') {
      terms.push(sql`${device[key]} ${direction}`);
    } else if (key === 'activity') {
      terms.push(sql`${device.lastMessageReceivedAt} ${sql.raw(isDescending ? 'desc nulls last' : 'asc nulls first')}`);
    } else if (key === 'health') {
      terms.push(nullsLast(rank(await listLevelsBySeverity(db, organizations), device.healthLevel, 'text')));
    } else if (key === 'health-name') {
      terms.push(sql`${device.healthLevel} ${direction}`);
    } else if (key === 'lifecycle' || key === 'lifecycle-name') {
      const values = key === 'lifecycle' ? lifecycles : lifecyclesByName;
      terms.push(nullsLast(rank(values, device.lifecycle, 'smallint')));
    } else if (key === 'brand') {
      terms.push(nullsLast(deviceBrand));
    } else if (key === 'type') {
      terms.push(nullsLast(sql`nullif(${device.deviceType}, '')`));
    } else if (key === 'process-point') {
      joins.push(pointNames(organizations));
      terms.push(nullsLast(naturalOrder(sql`point.name`)));
    } else {
      joins.push(tagNameJoin(key, organizations, { table: deviceTag, item: deviceTag.number }, device.number));
      terms.push(nullsLast(naturalOrder(sql`${sql.identifier(key)}.name`)));
    }
  }
  const firstDirection = sql.raw(orders[0]?.descending ? 'desc' : 'asc');
  terms.push(sql`${device.number} ${firstDirection}`, sql`${device.organization} ${firstDirection}`);
  return { joins: joins.length > 0 ? sql.join(joins, sql` `) : undefined, order: sql.join(terms, sql`, `) };
}

function rank(values: readonly (string | number)[], column: SQLWrapper, type: 'text' | 'smallint'): SQL {
  return sql`array_position(${sql.param([...values])}::${sql.raw(type)}[], ${column}::${sql.raw(type)})`;
}

async function listLevelsBySeverity(db: Executor, organizations: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ level: healthLevel.level })
    .from(healthLevel)
    .where(inArray(healthLevel.organization, [...organizations]))
    .groupBy(healthLevel.level)
    .orderBy(max(healthLevel.severity), healthLevel.level);
  return rows.map(({ level }) => level);
}

/** Joins devices with the first name of the process points that they measure now. */
const pointNames = (organizations: readonly string[]): SQL => sql`left join (
    select link.organization, link.number, min(${naturalOrder(sql`point.name`)}) as name
      from ${processPointDevice} link
      join ${processPoint} point on point.organization = link.organization and point.identifier = link.point
     where link.organization = any(${sql.param([...organizations])}::text[]) and link.until is null
     group by 1, 2
  ) as point on point.organization = ${device.organization} and point.number = ${device.number}`;

import { inArray, max, type SQL, sql, type SQLWrapper } from 'drizzle-orm';

import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { processPoint, processPointDevice } from '#server/db/schema/process-point.ts';
import { deviceTag } from '#server/db/schema/tag.ts';

import type { Order } from './orders.ts';
import { tagNameJoin } from './tag-names.ts';

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

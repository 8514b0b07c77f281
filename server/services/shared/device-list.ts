import { and, eq, getTableColumns, gte, inArray, type SQL, sql } from 'drizzle-orm';
import type { HealthLevel } from '#proto/hiber/health_pb';
import type { Executor } from '#server/db/database';
import { device } from '#server/db/schema/device';
import { healthLevel } from '#server/db/schema/health-level';
import { message } from '#server/db/schema/message';
import { deviceTag, tag } from '#server/db/schema/tag';
import { groupBy } from '#server/group-by';
import { type DeviceScope, visibleDevices } from './device-where.ts';
import type { OrderBy } from './device-sort.ts';
import { type FileRow, filesOfDevices } from './files.ts';
import { presentHealthLevel } from './health-level.ts';
import type { Page } from './pagination.ts';

const { search: _, ...columns } = getTableColumns(device);

export type DeviceRow = Omit<typeof device.$inferSelect, 'search'>;

/** A device with all that its presentation needs. */
export interface ListedDevice {
  row: DeviceRow;
  level: HealthLevel | undefined;
  tags: { id: number; name: string; type: string; priority: number }[];
  files: FileRow[];
  /** Messages of the last 24 hours. */
  received: number;
  /** Devices that this gateway relays for. */
  connected: number;
}

export interface DeviceKey extends Record<string, unknown> {
  organization: string;
  number: string;
}

export async function countDevices(db: Executor, where: SQL | undefined): Promise<number> {
  return db.$count(device, where);
}

/** A page of devices in order; only their keys, so that sorting a large fleet moves little. */
export async function deviceKeys(
  db: Executor,
  where: SQL | undefined,
  { joins, order }: OrderBy,
  { limit, offset }: Page,
): Promise<DeviceKey[]> {
  const { rows } = await db.execute<DeviceKey>(sql`
    select ${device.organization}, ${device.number} from ${device} ${joins}
     where ${where ?? sql`true`} order by ${order} limit ${limit} offset ${offset}`);
  return rows;
}

/** The devices of the keys, in their order; those that are gone meanwhile are left out. */
export async function loadDevices(
  db: Executor,
  scope: DeviceScope,
  keys: readonly DeviceKey[],
  now: Date,
): Promise<ListedDevice[]> {
  if (keys.length === 0) return [];
  const organizations = [...new Set(keys.map(({ organization }) => organization))];
  const numbers = keys.map(({ number }) => number);
  const wanted = sql.param(numbers);
  const rows = await db
    .select(columns)
    .from(device)
    .where(and(inArray(device.organization, organizations), sql`${device.number} = any(${wanted}::text[])`));
  const [levels, tags, files, received, connected] = [
    await levelsOf(db, organizations),
    await tagsOf(db, organizations, numbers),
    await filesOfDevices(db, organizations, numbers),
    await receivedSince(db, organizations, numbers, new Date(now.getTime() - 86_400_000)),
    await connectedTo(db, scope, rows),
  ];
  // Numbers are unique in the whole installation, so they alone tell devices apart.
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return keys.flatMap(({ number }) => {
    const row = byNumber.get(number);
    if (row === undefined) return [];
    return {
      row,
      level: levels.get(`${row.organization}/${row.healthLevel}`),
      tags: tags.get(number) ?? [],
      files: files.get(number) ?? [],
      received: received.get(number) ?? 0,
      connected: connected.get(number) ?? 0,
    };
  });
}

async function levelsOf(db: Executor, organizations: readonly string[]): Promise<Map<string, HealthLevel>> {
  const rows = await db
    .select()
    .from(healthLevel)
    .where(inArray(healthLevel.organization, [...organizations]));
  return new Map(rows.map((row) => [`${row.organization}/${row.level}`, presentHealthLevel(row)]));
}

async function tagsOf(db: Executor, organizations: readonly string[], numbers: readonly string[]) {
  const rows = await db
    .select({ number: deviceTag.number, id: tag.id, name: tag.name, type: tag.type, priority: tag.priority })
    .from(deviceTag)
    .innerJoin(tag, and(eq(tag.organization, deviceTag.organization), eq(tag.id, deviceTag.tag)))
    .where(
      and(
        inArray(deviceTag.organization, [...organizations]),
        sql`${deviceTag.number} = any(${sql.param([...numbers])}::text[])`,
      ),
    )
    // As TagService lists them.
    .orderBy(sql`${tag.priority} desc`, tag.name, tag.id);
  return groupBy(rows, ({ number }) => number);
}

async function receivedSince(
  db: Executor,
  organizations: readonly string[],
  numbers: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await db
    .select({ number: message.number, count: sql<number>`count(*)::int` })
    .from(message)
    .where(
      and(
        inArray(message.organization, [...organizations]),
        sql`${message.number} = any(${sql.param([...numbers])}::text[])`,
        gte(message.sentAt, since),
        // Lets the older partitions be skipped.
        gte(message.receivedAt, since),
      ),
    )
    .groupBy(message.number);
  return new Map(rows.map(({ number, count }) => [number, count]));
}

async function connectedTo(db: Executor, scope: DeviceScope, rows: readonly DeviceRow[]): Promise<Map<string, number>> {
  const gateways = rows.filter(({ type }) => type === gatewayType).map(({ number }) => number);
  if (gateways.length === 0) return new Map();
  const counts = await db
    .select({ gateway: device.gateway, count: sql<number>`count(*)::int` })
    .from(device)
    .where(and(visibleDevices(scope), sql`${device.gateway} = any(${sql.param(gateways)}::text[])`))
    .groupBy(device.gateway);
  return new Map(counts.map(({ gateway, count }) => [gateway ?? '', count]));
}

/** Modem.Type. */
const gatewayType = 2;

/** Gateways that relay for devices of a page without being on it, in order of number (contract: ModemService.List). */
export function missingGateways(listed: readonly ListedDevice[]): DeviceKey[] {
  const shown = new Set(listed.map(({ row }) => row.number));
  const missing = new Map<string, DeviceKey>();
  for (const { row } of listed) {
    if (row.gateway === null || shown.has(row.gateway)) continue;
    missing.set(row.gateway, { organization: row.organization, number: row.gateway });
  }
  return [...missing.values()].sort((a, b) => (a.number < b.number ? -1 : 1));
}

import { and, between, getTableColumns, gte, inArray, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Database, Executor } from '#server/db/database.ts';
import { natural } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceFile } from '#server/db/schema/file.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { message } from '#server/db/schema/message.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { groupBy } from '#server/base/group-by.ts';
import { type DeviceScope, visibleDevices } from './where.ts';
import type { OrderBy } from './sort.ts';
import { type FileRow, filesOfDevices } from '#server/domains/data/file/files.ts';
import { presentHealthLevel } from '#server/events/health-level.ts';
import type { Page } from '#server/wire/pagination.ts';

const DAY = 86_400_000;

const { search: _, ...columns } = getTableColumns(device);

export type DeviceRow = Omit<typeof device.$inferSelect, 'search'>;

/** A device with all that its presentation needs. */
export interface ListedDevice {
  readonly row: DeviceRow;
  readonly level: HealthLevel | undefined;
  readonly tags: { id: number; name: string; type: string; priority: number }[];
  readonly files: FileRow[];
  /** Messages of the last 24 hours. */
  readonly received: number;
  /** Devices that this gateway relays for. */
  readonly connected: number;
}

export interface DeviceKey extends Record<string, unknown> {
  readonly organization: string;
  readonly number: string;
}

export async function countDevices(db: Executor, where: SQL | undefined): Promise<number> {
  return db.$count(device, where);
}

/** A page of devices in order, only their keys, so that sorting a large fleet moves little; and how many there are. */
export async function deviceKeys(
  db: Database,
  where: SQL | undefined,
  { joins, order }: OrderBy,
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
): Promise<{ total: number; keys: DeviceKey[] }> {
  // One more than asked for, to know the last page: its end is the total, which then need not be counted.
  const query = sql`
    select ${device.organization}, ${device.number} from ${device} ${joins ?? sql``}
     where ${where ?? sql`true`} order by ${order} limit ${limit + 1} offset ${offset}`;
  const { rows } = joins === undefined ? await db.orm.execute<DeviceKey>(query) : await withHashJoins(db, query);
  const isLast = rows.length <= limit && (rows.length > 0 || offset === 0);
  return { total: isLast ? offset + rows.length : await countDevices(db.orm, where), keys: rows.slice(0, limit) };
}

/**
 * Runs a query over whole tables with hash joins. Rows written since the last ANALYZE are unknown to the planner, which
 * takes the tables for almost empty and joins them by nested loops: minutes for 48 devices with 300 tags each.
 */
function withHashJoins(db: Database, query: SQL): Promise<{ rows: DeviceKey[] }> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_nestloop = off`);
    return tx.execute<DeviceKey>(query);
  });
}

const organizationsOf = (keys: readonly DeviceKey[]): string[] => [
  ...new Set(keys.map(({ organization }) => organization)),
];
const numbersOf = (keys: readonly DeviceKey[]): string[] => keys.map(({ number }) => number);

/** Numbers are unique in the whole installation; the organizations are for the indexes. */
function ofKeys(item: { organization: AnyPgColumn; number: AnyPgColumn }, keys: readonly DeviceKey[]): SQL | undefined {
  return and(
    inArray(item.organization, organizationsOf(keys)),
    sql`${item.number} = any(${sql.param(numbersOf(keys))}::text[])`,
  );
}

/** The devices of the keys, in their order; those that are gone meanwhile are left out. */
export async function loadDevices(
  db: Executor,
  scope: DeviceScope,
  keys: readonly DeviceKey[],
  now: Date,
): Promise<ListedDevice[]> {
  if (keys.length === 0) return [];
  const rows = await db.select(columns).from(device).where(ofKeys(device, keys));
  const { levels, tags, received, connected, files } = await belongings(db, scope, keys, now);
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

interface Belongings extends Record<string, unknown> {
  readonly levels: (typeof healthLevel.$inferSelect)[] | null;
  readonly tags: (ListedDevice['tags'][number] & { number: string })[] | null;
  readonly received: { number: string; count: number }[] | null;
  readonly connected: { number: string; count: number }[] | null;
  readonly hasFiles: boolean;
}

/**
 * What is kept apart from the devices, by device; in one statement, as most of the cost of a small one is its round
 * trip.
 */
async function belongings(db: Executor, scope: DeviceScope, keys: readonly DeviceKey[], now: Date) {
  const organizations = organizationsOf(keys);
  const numbers = numbersOf(keys);
  const parts = {
    levels: levelsOf(organizations),
    tags: tagsOf(keys),
    received: receivedIn24Hours(keys, now),
    connected: connectedTo(scope, numbers),
  };
  const lists = Object.entries(parts).map(
    ([name, part]) => sql`(select json_agg(part) from (${part}) as part) as ${sql.identifier(name)}`,
  );
  const { rows } = await db.execute<Belongings>(sql`
    select ${sql.join(lists, sql`, `)}, exists (select from ${deviceFile}
      where ${ofKeys(deviceFile, keys)}) as "hasFiles"`);
  const { levels, tags, received, connected, hasFiles } = rows[0] ?? {};
  const counts = (list: Belongings['received'] = []) => new Map(list?.map(({ number, count }) => [number, count]));
  return {
    levels: new Map(levels?.map((row) => [`${row.organization}/${row.level}`, presentHealthLevel(row)])),
    tags: groupBy(tags ?? [], ({ number }) => number),
    received: counts(received),
    connected: counts(connected),
    // Few devices have any.
    files: hasFiles ? await filesOfDevices(db, organizations, numbers) : new Map<string, FileRow[]>(),
  };
}

const levelsOf = (organizations: readonly string[]): SQL => sql`
  select ${healthLevel.organization}, ${healthLevel.level}, ${healthLevel.severity},
         ${healthLevel.catchAll} as "catchAll", ${healthLevel.colorData} as "colorData"
    from ${healthLevel} where ${inArray(healthLevel.organization, [...organizations])}`;

/**
 * In the order in which TagService lists them. By device first, so that few names are compared; and tag by tag, as the
 * planner would rather read all tags of the organization.
 */
const tagsOf = (keys: readonly DeviceKey[]): SQL => sql`
  select ${deviceTag.number}, label.* from ${deviceTag}
   cross join lateral (
     select ${tag.id}, ${tag.name}, ${tag.type}, ${tag.priority} from ${tag}
      where ${tag.organization} = ${deviceTag.organization} and ${tag.id} = ${deviceTag.tag} limit 1
   ) as label
   where ${ofKeys(deviceTag, keys)}
   order by ${deviceTag.number}, label.priority desc, ${natural(sql`label.name`)}, label.id`;

/**
 * Device by device, as the index has them: without statistics, which new partitions have none of, the planner would
 * rather read all messages of the day. Both bounds of the time of receipt let the other partitions be skipped.
 */
const receivedIn24Hours = (keys: readonly DeviceKey[], now: Date): SQL => sql`
  select given.number, messages.count
    from unnest(${sql.param(keys.map(({ organization }) => organization))}::text[],
                ${sql.param(keys.map(({ number }) => number))}::text[]) as given (organization, number)
   cross join lateral (
     select count(*)::int as count from ${message}
      where ${message.organization} = given.organization and ${message.number} = given.number
        and ${gte(message.sentAt, new Date(now.getTime() - DAY))}
        and ${between(message.receivedAt, new Date(now.getTime() - DAY), now)}
   ) as messages`;

const connectedTo = (scope: DeviceScope, gateways: readonly string[]): SQL => sql`
  select ${device.gateway} as number, count(*)::int from ${device}
   where ${and(visibleDevices(scope), sql`${device.gateway} = any(${sql.param([...gateways])}::text[])`)}
   group by ${device.gateway}`;

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

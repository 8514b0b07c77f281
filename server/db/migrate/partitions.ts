import type { ClientBase, Pool } from 'pg';

import { partitionColumns } from './ddl.ts';

type Table = keyof typeof partitionColumns;

const WEEK = 7 * 24 * 3600 * 1000;
/**
 * The number of weeks before partitions are dropped, not counting the current week. The contract does not state a
 * retention period, and a quarter is enough for audits.
 */
const RETENTION_WEEKS: Readonly<Record<Table, number>> = { message: 13, event: 13, publisher_call: 5 };
/** The number of weeks created in advance. A server then still has partitions if maintenance does not run for weeks. */
const WEEKS_AHEAD = 4;
/** The number of past weeks created on a new database, for the seed and for late messages. */
const WEEKS_BEHIND = 2;
/**
 * The maximum number of partitions of a table that one run drops. Normally, one expires per week. The limit protects
 * the history if the clock is temporarily years ahead.
 */
const MAX_DROPPED = 1;

/**
 * Creates the missing weekly partitions around `now`, and a default partition per table for rows outside them, so
 * writes succeed even if the clock jumps. This is cheap if nothing is missing. Call it at startup and daily.
 */
export async function ensurePartitions(client: ClientBase | Pool, now: Date): Promise<void> {
  const existing = await readPartitions(client);
  for (const table of tables) {
    const fallback = defaultPartition(table);
    if (!existing.has(fallback)) {
      await client.query(`create table if not exists ${fallback} partition of ${table} default`);
    }
    for (let offset = -WEEKS_BEHIND; offset <= WEEKS_AHEAD; offset += 1) {
      const start = new Date(startOfWeek(now) + offset * WEEK);
      if (!existing.has(partitionName(table, start))) await createPartition(client, table, start);
    }
  }
}

/**
 * Drops expired partitions, a week at a time. Call it daily, but not at startup, because clocks are most often wrong at
 * boot.
 */
export async function dropOldPartitions(client: ClientBase | Pool, now: Date): Promise<void> {
  const existing = [...(await readPartitions(client))].toSorted();
  for (const table of tables) {
    const oldestName = partitionName(table, new Date(startOfWeek(now) - RETENTION_WEEKS[table] * WEEK));
    const expiredNames = existing.filter((name) => name.startsWith(`${table}_w`) && name < oldestName);
    for (const name of expiredNames.slice(0, MAX_DROPPED)) await client.query(`drop table if exists ${name}`);
  }
}

const tables = Object.keys(partitionColumns) as Table[];
const defaultPartition = (table: Table): string => `${table}_default`;

/**
 * Creates the partition for a week, and moves that week's rows out of the default partition, because PostgreSQL refuses
 * to attach the partition while they are there. All statements are in one query string, so they run in one transaction.
 */
async function createPartition(client: ClientBase | Pool, table: Table, start: Date): Promise<void> {
  const [name, fallback, column] = [partitionName(table, start), defaultPartition(table), partitionColumns[table]];
  const [from, to] = [start.toISOString(), new Date(start.getTime() + WEEK).toISOString()];
  await client.query(`
    create table ${name} (like ${table} including defaults including generated including constraints);
    with moved as (delete from ${fallback} where ${column} >= '${from}' and ${column} < '${to}' returning *)
      insert into ${name} select * from moved;
    alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`);
}

async function readPartitions(client: ClientBase | Pool): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid where relkind = 'r'`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns Monday 00:00 UTC. The epoch was a Thursday. */
function startOfWeek(time: Date): number {
  const monday = 4 * 24 * 3600 * 1000;
  return Math.floor((time.getTime() - monday) / WEEK) * WEEK + monday;
}

/** Returns the name of a partition. Names sort by time, because dates have a fixed width. */
function partitionName(table: Table, start: Date): string {
  return `${table}_w${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

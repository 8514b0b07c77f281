import type { ClientBase, Pool } from 'pg';

import { partitionColumns } from './ddl.ts';

type Table = keyof typeof partitionColumns;

/** How a table is divided. */
interface Division {
  /** The letter that its partitions' names start with. */
  readonly letter: 'w' | 'm';
  /** Returns the start of the period that is `offset` periods after the one containing `time`. */
  start(time: Date, offset: number): Date;
  /** The number of periods created in advance, so a server has partitions if maintenance does not run for weeks. */
  readonly ahead: number;
  /** The number of past periods created on a new database, for the seed and for late messages. */
  readonly behind: number;
  /**
   * The number of periods before partitions are dropped, not counting the current one; undefined to keep all. The
   * contract does not specify a retention period. A quarter is enough for audits, but values are kept forever: they're
   * what the product is for.
   */
  readonly retention?: number;
}

const WEEK = 7 * 24 * 3600 * 1000;
/** The epoch was a Thursday. */
const FIRST_MONDAY = 4 * 24 * 3600 * 1000;

const byWeek = {
  letter: 'w',
  start: (time, offset) =>
    new Date((Math.floor((time.getTime() - FIRST_MONDAY) / WEEK) + offset) * WEEK + FIRST_MONDAY),
  ahead: 4,
  behind: 2,
} as const satisfies Division;

const byMonth = {
  letter: 'm',
  start: (time, offset) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + offset)),
  ahead: 2,
  behind: 3,
} as const satisfies Division;

const DIVISIONS: Readonly<Record<Table, Division>> = {
  message: { ...byWeek, retention: 13 },
  event: { ...byWeek, retention: 13 },
  publisher_call: { ...byWeek, retention: 5 },
  value: byMonth,
};
/**
 * The maximum number of partitions of a table that one run drops. Normally, one expires per week. The limit protects
 * the history if the clock is temporarily years ahead.
 */
const MAX_DROPPED_PARTITIONS = 1;

/**
 * Creates the missing partitions around `now`, and a default partition per table for rows outside them, so writes
 * succeed even if the clock jumps. Cheap if nothing is missing; call it at startup and daily.
 */
export async function ensurePartitions(client: ClientBase | Pool, now: Date): Promise<void> {
  const existing = await readPartitions(client);
  for (const table of tables) {
    const fallback = defaultPartition(table);
    if (!existing.has(fallback)) {
      await client.query(`create table if not exists ${fallback} partition of ${table} default`);
    }
    const { ahead, behind, start } = DIVISIONS[table];
    for (let offset = -behind; offset <= ahead; offset += 1) {
      const [from, to] = [start(now, offset), start(now, offset + 1)];
      if (!existing.has(partitionName(table, from))) await createPartition(client, table, from, to);
    }
  }
}

/**
 * Drops expired partitions, one at a time. Call it daily, but not at startup, because clocks are most often wrong at
 * boot.
 */
export async function dropOldPartitions(client: ClientBase | Pool, now: Date): Promise<void> {
  const existing = [...(await readPartitions(client))].toSorted();
  for (const table of tables) {
    const { letter, retention, start } = DIVISIONS[table];
    if (retention === undefined) continue;
    const oldestName = partitionName(table, start(now, -retention));
    const expiredNames = existing.filter((name) => name.startsWith(`${table}_${letter}`) && name < oldestName);
    for (const name of expiredNames.slice(0, MAX_DROPPED_PARTITIONS))
      await client.query(`drop table if exists ${name}`);
  }
}

const tables = Object.keys(partitionColumns) as Table[];
const defaultPartition = (table: Table): string => `${table}_default`;

/**
 * Creates the partition of a period, and moves its rows out of the default partition, because PostgreSQL refuses to
 * attach the partition while they are there. All statements are in one query string, and therefore in one transaction.
 */
async function createPartition(client: ClientBase | Pool, table: Table, start: Date, end: Date): Promise<void> {
  const [name, fallback, column] = [partitionName(table, start), defaultPartition(table), partitionColumns[table]];
  const [from, to] = [start.toISOString(), end.toISOString()];
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

/** Returns the name of a partition. Names sort by time because dates have a fixed width. */
function partitionName(table: Table, start: Date): string {
  const length = DIVISIONS[table].letter === 'm' ? 7 : 10;
  return `${table}_${DIVISIONS[table].letter}${start.toISOString().slice(0, length).replaceAll('-', '')}`;
}

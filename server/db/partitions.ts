import type { ClientBase, Pool } from 'pg';
import type { partitioned } from './ddl.ts';

const week = 7 * 24 * 3600 * 1000;
/** Weeks kept before they are dropped, the current one not counted. Retention is not stated; a quarter serves audits. */
const weeksKept = { message: 13, event: 13, webhook_call: 5 } satisfies Record<keyof typeof partitioned, number>;
/** Ahead of time, so that a server that runs for weeks without its upkeep still accepts messages. */
const weeksAhead = 4;
/** Behind on a new database: what the seed and late arrivals need. */
const weeksBehind = 2;

/**
 * Makes the weekly partitions around `now` that are missing and drops those past retention. Cheap when there is nothing
 * to do; call it at start and daily.
 */
export async function keepPartitions(client: ClientBase | Pool, now: Date): Promise<void> {
  const existing = await partitionsOf(client);
  for (const [table, weeks] of Object.entries(weeksKept)) {
    for (let offset = -weeksBehind; offset <= weeksAhead; offset += 1) {
      const start = new Date(startOfWeek(now) + offset * week);
      const name = partitionName(table, start);
      if (existing.has(name)) continue;
      const end = new Date(start.getTime() + week);
      await client.query(
        `create table if not exists ${name} partition of ${table}
           for values from ('${start.toISOString()}') to ('${end.toISOString()}')`,
      );
    }
    const oldest = partitionName(table, new Date(startOfWeek(now) - weeks * week));
    for (const name of existing) {
      if (name.startsWith(`${table}_w`) && name < oldest) await client.query(`drop table if exists ${name}`);
    }
  }
}

async function partitionsOf(client: ClientBase | Pool): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid where relkind = 'r'`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Monday 00:00 UTC. The epoch was a Thursday. */
function startOfWeek(time: Date): number {
  const monday = 4 * 24 * 3600 * 1000;
  return Math.floor((time.getTime() - monday) / week) * week + monday;
}

/** Sorts by time, as dates of fixed width do. */
function partitionName(table: string, start: Date): string {
  return `${table}_w${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

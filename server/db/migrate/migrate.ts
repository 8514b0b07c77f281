import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import type { PoolClient } from 'pg';

import { migrationsFolder } from '#server/base/paths.ts';
import { ADVISORY_LOCK } from '#server/db/advisory-lock.ts';
import type { Database } from '#server/db/database.ts';
import { ormOver } from '#server/db/orm.ts';
import { withoutTimeLimit } from '#server/db/pool/work.ts';

import { keepPartitions } from './partitions.ts';

/**
 * Brings the schema up to date and creates the partitions around `now`. Several processes may start at once on one
 * PostgreSQL, so an advisory lock makes them migrate one after the other.
 */
export async function migrate(database: Database, now: Date): Promise<void> {
  await whileMigrating(database, async (client) => {
    await runMigrations(ormOver(client), { migrationsFolder });
    await keepPartitions(client, now);
  });
}

/**
 * Runs work that only one process may do at a time, over a single connection, because the embedded database has no
 * second one.
 */
export function whileMigrating<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withoutTimeLimit(() => withMigrationLock(database, work));
}

async function withMigrationLock<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK.migration]);
    try {
      return await work(client);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK.migration]);
    }
  } finally {
    client.release();
  }
}

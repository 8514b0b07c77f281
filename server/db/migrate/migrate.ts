import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import type { PoolClient } from 'pg';

import { migrationsFolder } from '#server/base/paths.ts';
import { ADVISORY_LOCK } from '#server/db/advisory-lock.ts';
import type { Database } from '#server/db/database.ts';
import { createOrm } from '#server/db/orm.ts';
import { withoutTimeLimit } from '#server/db/pool/work.ts';

import { ensurePartitions } from './partitions.ts';

/**
 * Brings the schema up to date and creates the partitions around `now`. Several processes can start on the same
 * PostgreSQL database at the same time, so an advisory lock makes them migrate one at a time.
 */
export async function migrate(database: Database, now: Date): Promise<void> {
  await withMigrationLock(database, async (client) => {
    await runMigrations(createOrm(client), { migrationsFolder });
    await ensurePartitions(client, now);
  });
}

/**
 * Runs work that only one process may do at a time. Uses a single connection because the embedded database has only
 * one.
 */
export function withMigrationLock<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withoutTimeLimit(() => lockAndRun(database, work));
}

async function lockAndRun<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
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

import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import type { PoolClient } from 'pg';
import { migrationsFolder } from '#server/base/paths.ts';
import type { Database } from '#server/db/database.ts';
import { ormOver } from '#server/db/orm.ts';
import { keepPartitions } from './partitions.ts';
import { withoutTimeLimit } from '#server/db/pool/work.ts';

/** Any number that nothing else in the database uses. */
const MIGRATION_LOCK = 4_711_000_001;

/**
 * Brings the schema up to date and makes the partitions around `now`. Several processes may start at once on one
 * PostgreSQL: an advisory lock lets them migrate one after the other.
 */
export async function migrate(database: Database, now: Date): Promise<void> {
  await whileMigrating(database, async (client) => {
    await runMigrations(ormOver(client), { migrationsFolder });
    await keepPartitions(client, now);
  });
}

/** Does work that only one process may do at a time, over one connection: the embedded database has no second. */
export function whileMigrating<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withoutTimeLimit(() => inTurn(database, work));
}

async function inTurn<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      return await work(client);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    client.release();
  }
}

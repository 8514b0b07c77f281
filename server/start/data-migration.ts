import type { PoolClient } from 'pg';
import { eq } from 'drizzle-orm';
import type { Database, Orm } from '../db/database.ts';
import { whileMigrating } from '../db/migrate.ts';
import { ormOver } from '../db/orm.ts';
import { setting } from '../db/schema/setting.ts';

/**
 * Runs a migration that SQL cannot do, once per database and before the server serves; `mark` is how later starts know.
 * `work` must be repeatable, as a start that is killed begins again. It returns the tables whose old rows held secrets:
 * they are rewritten, so that none stay in freed space.
 */
export async function migrateDataOnce(
  db: Database,
  mark: string,
  work: (orm: Orm) => Promise<readonly string[]>,
): Promise<void> {
  await whileMigrating(db, async (client) => {
    const orm = ormOver(client);
    const [done] = await orm.select({ key: setting.key }).from(setting).where(eq(setting.key, mark));
    if (done !== undefined) return;
    const rewritten = await work(orm);
    if (rewritten.length > 0) await forgetOldRows(db, client, rewritten);
    await orm.insert(setting).values({ key: mark, value: true }).onConflictDoNothing();
  });
}

/**
 * What this cannot reach: backups, archives of the write-ahead log, its segments until they are reused, and the blocks of
 * a disk that files were freed from.
 */
async function forgetOldRows(db: Database, client: PoolClient, tables: readonly string[]): Promise<void> {
  await client.query(`vacuum ${db.kind === 'pglite' ? '(full)' : ''} ${tables.join(', ')}`);
  await client.query('checkpoint').catch((error: Error) => {
    // PostgreSQL lets only some roles ask for one; it makes them by itself.
    if (db.kind === 'pglite') throw error;
  });
}

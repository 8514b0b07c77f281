import { eq, sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';

import type { Database, Orm } from '#server/db/database.ts';
import { withMigrationLock } from '#server/db/migrate/migrate.ts';
import { createOrm } from '#server/db/orm.ts';
import { setting } from '#server/db/schema/setting.ts';

/** A data migration for tables that contain unencrypted secrets. */
export interface DataMigration {
  /** The key of the setting that marks the migration as done. Later starts then skip it. */
  readonly mark: string;
  /** Tables whose old rows contain secrets. */
  readonly tables: readonly string[];
  /**
   * Must be idempotent because it runs again if the server is killed in the middle.
   *
   * @returns true if it changed anything
   */
  migrate(orm: Orm): Promise<boolean>;
}

/**
 * Runs a migration that can't be written in SQL, once per database and before the server accepts calls. Then rewrites
 * the tables, so no old rows remain in freed space.
 *
 * @returns true if the server was killed during an earlier attempt, whose changes `migrate` does not report
 */
export async function migrateDataOnce(db: Database, { mark, tables, migrate }: DataMigration): Promise<boolean> {
  return withMigrationLock(db, async (client) => {
    const orm = createOrm(client);
    const isSet = async (key: string) => (await orm.$count(setting, eq(setting.key, key))) > 0;
    if (await isSet(mark)) return false;
    // Set if the server was killed during an earlier attempt. The changes may be complete, but the old rows were not
    // erased.
    const begunKey = `${mark}-begun`;
    const wasInterrupted = await isSet(begunKey);
    if (await hasRows(orm, tables)) {
      await orm.insert(setting).values({ key: begunKey, value: true }).onConflictDoNothing();
      if ((await migrate(orm)) || wasInterrupted) await eraseOldRows(db, client, tables);
    }
    await orm.transaction(async (tx) => {
      await tx.insert(setting).values({ key: mark, value: true }).onConflictDoNothing();
      await tx.delete(setting).where(eq(setting.key, begunKey));
    });
    return wasInterrupted;
  });
}

/** False for a new database, which has nothing to migrate. */
async function hasRows(orm: Orm, tables: readonly string[]): Promise<boolean> {
  const anyCondition = sql.join(
    tables.map((table) => sql`exists (select from ${sql.identifier(table)})`),
    sql` or `,
  );
  const { rows } = await orm.execute<{ populated: boolean }>(sql`select ${anyCondition} as populated`);
  return rows[0]?.populated === true;
}

/**
 * Copies the live rows to new files, because without `full`, PostgreSQL leaves the bytes of old rows in the pages. Each
 * table is locked during the copy.
 *
 * Doesn't affect backups, archives of the write-ahead log, its segments until they are reused, or freed disk blocks.
 */
async function eraseOldRows(db: Database, client: PoolClient, tables: readonly string[]): Promise<void> {
  await client.query(`vacuum (full) ${tables.join(', ')}`);
  await client.query('checkpoint').catch((error: Error) => {
    // PostgreSQL allows this only for some roles; it also creates checkpoints automatically.
    if (db.kind === 'pglite') throw error;
  });
}

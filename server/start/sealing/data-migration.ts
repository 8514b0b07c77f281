import type { PoolClient } from 'pg';
import { eq, sql } from 'drizzle-orm';
import type { Database, Orm } from '#server/db/database.ts';
import { whileMigrating } from '#server/db/migrate/migrate.ts';
import { ormOver } from '#server/db/orm.ts';
import { setting } from '#server/db/schema/setting.ts';

/** A migration of data, with the rows that held secrets before it. */
export interface DataMigration {
  /** Key of the setting by which later starts know that it is done. */
  readonly mark: string;
  /** Tables whose old rows hold secrets. */
  readonly tables: readonly string[];
  /** Must be repeatable, as a start that is killed begins again. @returns whether it changed anything */
  work(orm: Orm): Promise<boolean>;
}

/**
 * Runs a migration that SQL cannot do, once per database and before the server serves. Then the tables are rewritten,
 * so that no old rows stay in freed space.
 *
 * @returns whether a start before began it and was killed, so that what it changed does not count as changed here
 */
export async function migrateDataOnce(db: Database, { mark, tables, work }: DataMigration): Promise<boolean> {
  return whileMigrating(db, async (client) => {
    const orm = ormOver(client);
    const isSet = async (key: string) => (await orm.$count(setting, eq(setting.key, key))) > 0;
    if (await isSet(mark)) return false;
    // Left by a start that was killed: what it changed needs no change any more, and its old rows are still there.
    const begun = `${mark}-begun`;
    const resumed = await isSet(begun);
    if (await anyRows(orm, tables)) {
      await orm.insert(setting).values({ key: begun, value: true }).onConflictDoNothing();
      if ((await work(orm)) || resumed) await forgetOldRows(db, client, tables);
    }
    await orm.transaction(async (tx) => {
      await tx.insert(setting).values({ key: mark, value: true }).onConflictDoNothing();
      await tx.delete(setting).where(eq(setting.key, begun));
    });
    return resumed;
  });
}

/** A database that is new has nothing to migrate. */
async function anyRows(orm: Orm, tables: readonly string[]): Promise<boolean> {
  const any = sql.join(
    tables.map((table) => sql`exists (select from ${sql.identifier(table)})`),
    sql` or `,
  );
  const { rows } = await orm.execute<{ any: boolean }>(sql`select ${any} as any`);
  return rows[0]?.any === true;
}

/**
 * Copies the rows that are left to new files: without `full`, PostgreSQL leaves the bytes of old rows in the pages.
 * Each table is locked meanwhile.
 *
 * What this cannot reach: backups, archives of the write-ahead log, its segments until they are reused, and the blocks
 * of a disk that files were freed from.
 */
async function forgetOldRows(db: Database, client: PoolClient, tables: readonly string[]): Promise<void> {
  await client.query(`vacuum (full) ${tables.join(', ')}`);
  await client.query('checkpoint').catch((error: Error) => {
    // PostgreSQL lets only some roles ask for one; it makes them by itself.
    if (db.kind === 'pglite') throw error;
  });
}

import { createHash } from 'node:crypto';
import { access, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';

import { migrationsFolder } from '#server/base/paths.ts';
import type { Database } from '#server/db/database.ts';
import { openDatabase } from '#server/db/drivers/open.ts';
import { openPglite, type Pglite, startPglite } from '#server/db/drivers/pglite.ts';
import { migrate, withMigrationLock } from '#server/db/migrate/migrate.ts';
import { createOrm } from '#server/db/orm.ts';
import { connectEventSinks } from '#server/start/event-sinks.ts';

import packageJson from '../../package.json' with { type: 'json' };
import { createDatabase, ensureTemplate } from './separate-database.ts';

const pgliteVersion = packageJson.dependencies['@electric-sql/pglite'];

/**
 * Opens a migrated, empty database for one test file, and connects the event sinks. Uses PGlite in memory or, if
 * TEST_DATABASE_URL is set, a separate database on that PostgreSQL server. `close` drops this database.
 */
export async function openTestDatabase(now = new Date()): Promise<Database> {
  connectEventSinks();
  const server = process.env['TEST_DATABASE_URL'];
  if (server === undefined || server === '') return openInMemory(now);
  const database = await openSeparateDatabase(server, await migratedTemplate(server, now));
  // Partitions depend on the date.
  await migrate(database, now);
  return database;
}

/** Opens a migrated, empty PGlite in a new folder, for more data than fits in memory. Keeps the folder when closed. */
export async function openDatabaseOnDisk(folder: string, now: Date): Promise<Database> {
  connectEventSinks();
  const database = await openPglite(folder);
  await migrate(database, now);
  return database;
}

/**
 * Opens an empty database with the migrations up to `last`, as an earlier release created it, to test later migrations.
 * `migrate` continues from there.
 */
export async function openEarlierDatabase(last: string): Promise<Database> {
  const server = process.env['TEST_DATABASE_URL'];
  const database = server === undefined || server === '' ? await openPglite() : await openSeparateDatabase(server);
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-migrations-'));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    const file = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { tag: string }[] };
    const length = journal.entries.findIndex(({ tag }) => tag === last) + 1;
    if (length === 0) throw new Error(`Unknown migration ${last}.`);
    await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, length) }));
    await withMigrationLock(database, (client) => runMigrations(createOrm(client), { migrationsFolder: folder }));
    return database;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** PGlite instances for reuse, left by earlier test files in this process. */
const idlePglites: EmptyPglite[] = [];

interface EmptyPglite {
  readonly pglite: Pglite;
  /** The hash of the schema before any test. A database whose schema a test has changed isn't reused. */
  readonly schemaHash: string;
}

/**
 * Opens a database in memory. `close` empties it and keeps it for the next test file, because reusing a database is
 * ten times as fast as starting one.
 */
async function openInMemory(now: Date): Promise<Database> {
  const { pglite, schemaHash } = idlePglites.pop() ?? (await startEmpty(now));
  const database = pglite.connect();
  await migrate(database, now);
  let closing: Promise<void> | undefined;
  const release = async () => {
    await database.close();
    const cleaner = pglite.connect();
    await truncateTables(cleaner);
    const isReusable = (await hashSchema(cleaner)) === schemaHash;
    await cleaner.close();
    if (isReusable) idlePglites.push({ pglite, schemaHash });
    else await pglite.stop();
  };
  return { ...database, close: () => (closing ??= release()) };
}

/**
 * Starts an empty PGlite. This takes seconds, mostly for work that never changes, so the first instance is saved
 * as an image that is valid until the migrations or PGlite change. Partitions depend on the date, so `migrate` also
 * runs on an image.
 */
async function startEmpty(now: Date): Promise<EmptyPglite> {
  const image = join(tmpdir(), `quarterdeck-test-${await computeFingerprint()}.image`);
  const exists = await access(image).then(
    () => true,
    () => false,
  );
  const pglite = await startPglite(undefined, exists ? image : undefined);
  const database = pglite.connect();
  await migrate(database, now);
  const schemaHash = await hashSchema(database);
  await database.close();
  if (!exists) await pglite.dump(image);
  return { pglite, schemaHash };
}

/**
 * Removes all rows and subscriptions, and resets all sequences. Truncates only tables with rows, which is much faster.
 */
async function truncateTables({ pool }: Database): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'drizzle')`,
  );
  const queries = tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`);
  const { rows: nonEmptyTables } = await pool.query<{ name: string }>(queries.join(' union all '));
  await pool.query('unlisten *');
  if (nonEmptyTables.length === 0) return;
  await pool.query(`truncate ${nonEmptyTables.map(({ name }) => name).join(', ')} restart identity cascade`);
}

/** Computes a hash that differs after any change to tables, columns, indexes, constraints, triggers, or functions. */
async function hashSchema({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ schema: string }>(`
    select md5(json_build_array(
      (select json_agg((n.nspname, c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull) order by c.oid, a.attnum)
       from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_attribute a on a.attrelid = c.oid
       where n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'),
      (select json_agg((indexname, indexdef) order by schemaname, indexname) from pg_indexes where schemaname <> 'pg_catalog'),
      (select json_agg(pg_get_constraintdef(oid) order by oid) from pg_constraint),
      (select json_agg(pg_get_triggerdef(oid) order by oid) from pg_trigger),
      (select json_agg(prosrc order by oid) from pg_proc where pronamespace = 'public'::regnamespace)
    )::text) as schema`);
  return rows[0]?.schema ?? '';
}

async function computeFingerprint(): Promise<string> {
  const hash = createHash('sha256').update(pgliteVersion);
  const scripts = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort();
  // Drizzle recognizes the migrations that it has applied by the times in the journal.
  for (const name of [...scripts, 'meta/_journal.json']) hash.update(await readFile(join(migrationsFolder, name)));
  return hash.digest('hex').slice(0, 16);
}

let templateName: Promise<string> | undefined;

/** Returns the name of a migrated, empty database to copy. Copying is much faster than migrating. */
function migratedTemplate(server: string, now: Date): Promise<string> {
  return (templateName ??= (async () => {
    const name = `migrated_${await computeFingerprint()}`;
    await ensureTemplate(server, name, async (url) => {
      const database = await openDatabase({ url });
      try {
        await migrate(database, now);
      } finally {
        await database.close();
      }
    });
    return name;
  })());
}

async function openSeparateDatabase(server: string, template?: string): Promise<Database> {
  const testDatabase = await createDatabase(server, 'test', template);
  // Tests don't kill PostgreSQL, so waiting for its disk at every commit would prove nothing.
  await testDatabase.administer((name) => `alter database ${name} set synchronous_commit = off`);
  const database = await openDatabase({ url: testDatabase.url });
  return {
    ...database,
    async close() {
      await database.close();
      await testDatabase.drop();
    },
  };
}

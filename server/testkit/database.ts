import { createHash, randomUUID } from 'node:crypto';
import { access, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import packageJson from '../../package.json' with { type: 'json' };
import { connectEventSinks } from '#server/start/event-sinks.ts';
import { migrationsFolder } from '#server/base/paths.ts';
import type { Database } from '#server/db/database.ts';
import { migrate, whileMigrating } from '#server/db/migrate/migrate.ts';
import { ormOver } from '#server/db/orm.ts';
import { openDatabase } from '#server/db/drivers/open.ts';
import { openPglite } from '#server/db/drivers/pglite.ts';

const pgliteVersion = packageJson.dependencies['@electric-sql/pglite'];

/**
 * A migrated, empty database for one test file, whose events reach their sinks: in-memory PGlite or, with
 * TEST_DATABASE_URL, a database of its own on that PostgreSQL, dropped on `close`.
 */
export async function openTestDatabase(now = new Date()): Promise<Database> {
  connectEventSinks();
  const server = process.env['TEST_DATABASE_URL'];
  if (server === undefined || server === '') return inMemory(now);
  const database = await ownDatabase(server);
  await migrate(database, now);
  return database;
}

/**
 * A database as an earlier release left it, for tests of migrations: with the migrations up to `last`, and nothing in
 * it. `migrate` takes it from there.
 */
export async function openFormerDatabase(last: string): Promise<Database> {
  const server = process.env['TEST_DATABASE_URL'];
  const database = server === undefined || server === '' ? await openPglite() : await ownDatabase(server);
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-migrations-'));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    const file = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { tag: string }[] };
    const length = journal.entries.findIndex(({ tag }) => tag === last) + 1;
    if (length === 0) throw new Error(`There is no migration ${last}.`);
    await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, length) }));
    await whileMigrating(database, (client) => runMigrations(ormOver(client), { migrationsFolder: folder }));
    return database;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * A new PGlite takes seconds, most of them for what is the same every time; so the first one is kept as an image, until
 * the migrations or PGlite change. Partitions follow the clock, and so `migrate` runs on an image as well.
 */
async function inMemory(now: Date): Promise<Database> {
  const image = join(tmpdir(), `quarterdeck-test-${await fingerprint()}.image`);
  const known = await access(image).then(
    () => true,
    () => false,
  );
  const database = await openPglite(undefined, undefined, known ? image : undefined);
  await migrate(database, now);
  if (!known) await database.dump(image);
  return database;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(pgliteVersion);
  for (const name of (await readdir(migrationsFolder)).sort()) {
    if (name.endsWith('.sql')) hash.update(await readFile(join(migrationsFolder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function ownDatabase(server: string): Promise<Database> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  // Tests kill no PostgreSQL, so waiting for its disk at every commit tells nothing.
  await administer(server, `alter database ${name} set synchronous_commit = off`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href });
  return {
    ...database,
    async close() {
      await database.close();
      await administer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

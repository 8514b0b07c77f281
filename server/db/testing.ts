import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

/**
 * A migrated, empty database for one test file: in-memory PGlite or, with TEST_DATABASE_URL, a database of its own on
 * that PostgreSQL, dropped on `close`.
 */
export async function openTestDatabase(now = new Date()): Promise<Database> {
  const server = process.env['TEST_DATABASE_URL'];
  const database = server ? await ownDatabase(server) : await openDatabase({});
  await migrate(database, now);
  return database;
}

async function ownDatabase(server: string): Promise<Database> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
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

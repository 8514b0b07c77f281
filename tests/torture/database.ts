import { randomBytes } from 'node:crypto';

import pg from 'pg';

/**
 * Creates a separate database on a PostgreSQL server.
 *
 * @param purpose the beginning of the database's name
 */
export async function createDatabase(
  server: string,
  purpose: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `${purpose}_${randomBytes(6).toString('hex')}`;
  const administer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await administer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) };
}

import { randomBytes } from 'node:crypto';

import pg from 'pg';

/** A separate database on a PostgreSQL server. */
export interface SeparateDatabase {
  readonly url: string;
  /** Runs a statement about this database on another connection. */
  administer(statement: (name: string) => string): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Creates a separate database on a PostgreSQL server.
 *
 * @param purpose the prefix of its name
 * @param template the database to copy; empty by default
 */
export async function createDatabase(
  server: string,
  purpose: string,
  template = 'template1',
): Promise<SeparateDatabase> {
  const name = `${purpose}_${randomBytes(6).toString('hex')}`;
  const administer = (statement: (name: string) => string): Promise<void> =>
    withClient(server, async (client) => void (await client.query(statement(name))));
  await administer(() => `create database ${name} template ${template}`);
  return {
    url: createUrl(server, name),
    administer,
    drop: () => administer(() => `drop database if exists ${name} with (force)`),
  };
}

/**
 * Creates a database to copy, unless it exists. It stays on the server for later runs. Other processes that need the
 * same template wait until it is complete.
 *
 * @param fill fills the database at the given URL, and closes its connections
 */
export async function ensureTemplate(
  server: string,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<void> {
  await withClient(server, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    // Renamed when it's complete, so a kill leaves no partial template.
    const partialName = `${name}_partial`;
    await client.query(`drop database if exists ${partialName} with (force)`);
    await client.query(`create database ${partialName}`);
    await fill(createUrl(server, partialName));
    await client.query(`alter database ${partialName} rename to ${name}`);
  });
}

async function withClient(server: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function createUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

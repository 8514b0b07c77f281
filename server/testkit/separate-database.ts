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
 */
export async function createDatabase(server: string, purpose: string): Promise<SeparateDatabase> {
  const name = `${purpose}_${randomBytes(6).toString('hex')}`;
  const administer = async (statement: (name: string) => string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement(name));
    } finally {
      await client.end();
    }
  };
  await administer(() => `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    administer,
    drop: () => administer(() => `drop database if exists ${name} with (force)`),
  };
}

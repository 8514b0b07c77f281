import { randomBytes } from 'node:crypto';

import pg from 'pg';

/** A separate database on a PostgreSQL. */
export interface OwnDatabase {
  readonly url: string;
  /** Runs a statement about it, outside of it. */
  administer(statement: (name: string) => string): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Creates a separate database on a PostgreSQL.
 *
 * @param purpose the beginning of its name
 */
export async function ownDatabase(server: string, purpose: string): Promise<OwnDatabase> {
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

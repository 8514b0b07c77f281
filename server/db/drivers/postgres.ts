import pg from 'pg';

import type { Log } from '#server/base/log.ts';
import { type Database, DatabaseUnavailableError } from '#server/db/database.ts';
import { timeouts } from '#server/db/limits.ts';
import { createOrm } from '#server/db/orm.ts';
import { FairPool } from '#server/db/pool/pool.ts';
import { runTransaction } from '#server/db/transaction.ts';

import { cancelStatement } from './cancel.ts';
import { GroupedSocket } from './grouped-socket.ts';
import { PostgresListener } from './postgres-listener.ts';
import { WORK_MEM } from './settings.ts';

/** The oldest PostgreSQL version that the tests run against. */
const OLDEST_VERSION = 15;

/**
 * Opens a pool of connections to the PostgreSQL server at `url`. Opens a separate connection for LISTEN when the first
 * listener is added.
 */
export async function openPostgres(url: string, log: Log | undefined): Promise<Database> {
  const pool = new FairPool(
    {
      connectionString: url,
      stream: () => new GroupedSocket(),
      max: 10,
      options: `-c work_mem=${WORK_MEM}`,
      connectionTimeoutMillis: timeouts.acquire,
      statement_timeout: timeouts.statement,
      lock_timeout: timeouts.lock,
      idle_in_transaction_session_timeout: timeouts.idleInTransaction,
    },
    {
      cancel: cancelStatement,
      liftLimits: async (client) =>
        void (await client.query(
          'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
        )),
    },
  );
  pool.on('error', (error) => log?.warn('A database connection was lost.', { reason: error.message }));
  await requireConnection(pool, url);

  const listener = new PostgresListener(
    // Listeners are added concurrently, and a connection without `pipeline` is about to reject that.
    () => new pg.Client({ connectionString: url, connectionTimeoutMillis: timeouts.connect, pipeline: true }),
    log,
  );
  const orm = createOrm(pool);
  let closing: Promise<void> | undefined;
  return {
    kind: 'postgres',
    orm,
    pool,
    transaction: (work) => runTransaction(pool, work),
    listen: (channel, receive, missed) => listener.listen(channel, receive, missed),
    close() {
      closing ??= (async () => {
        await listener.close();
        await pool.end();
      })();
      return closing;
    },
  };
}

async function requireConnection(pool: pg.Pool, url: string): Promise<void> {
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int / 10000 as version`,
    );
    const version = rows[0]?.version ?? 0;
    if (version < OLDEST_VERSION) {
      throw new DatabaseUnavailableError(
        `DATABASE_URL points to PostgreSQL ${version}. Version ${OLDEST_VERSION} or newer is required.`,
      );
    }
  } catch (error) {
    await pool.end();
    if (error instanceof DatabaseUnavailableError) throw error;
    throw new DatabaseUnavailableError(
      `PostgreSQL at ${addressOf(url)} can't be reached (${(error as Error).message}). Check DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Returns the host and database, without the password. */
function addressOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}` || 'that address';
  } catch {
    return 'that address';
  }
}

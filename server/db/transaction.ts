import type { Pool } from 'pg';

import { withBeforeCommit } from './before-commit.ts';
import type { Tx } from './database.ts';
import { createOrm } from './orm.ts';

/**
 * Runs `work` in a transaction. Drizzle's own implementation leaks the connection if BEGIN fails, and reports a lost
 * connection as the error from ROLLBACK instead of the original one.
 */
export async function runTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let cause: unknown;
  let isBroken = false;
  const runWithDeferred = withBeforeCommit(work);
  try {
    return await createOrm(client).transaction(async (tx) => {
      try {
        return await runWithDeferred(tx);
      } catch (error) {
        cause = error;
        throw error;
      }
    });
  } catch (error) {
    // BEGIN, COMMIT, or ROLLBACK failed rather than the work, so the transaction's state is unknown.
    isBroken = error !== cause;
    throw cause ?? error;
  } finally {
    client.release(isBroken);
  }
}

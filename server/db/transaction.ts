import type { Pool } from 'pg';
import { withBeforeCommit } from './before-commit.ts';
import type { Tx } from './database.ts';
import { ormOver } from './orm.ts';

/**
 * Runs `work` in a transaction. Drizzle's own over a pool keeps the connection for ever when BEGIN fails, and answers
 * with the failure of ROLLBACK instead of what caused it when the connection is lost.
 */
export async function transactionOver<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let cause: unknown;
  let broken = false;
  const whole = withBeforeCommit(work);
  try {
    return await ormOver(client).transaction(async (tx) => {
      try {
        return await whole(tx);
      } catch (error) {
        cause = error;
        throw error;
      }
    });
  } catch (error) {
    // Something else than the work failed: BEGIN, COMMIT or ROLLBACK. Where the transaction stands is unknown.
    broken = error !== cause;
    throw cause ?? error;
  } finally {
    client.release(broken);
  }
}

/**
 * Time limits of statements on PostgreSQL, in milliseconds. The embedded database cannot enforce them: WebAssembly has
 * no signals or timers, so a statement always runs to completion.
 */
export const limits = {
  /**
   * For running a statement. The slowest ordinary statement, an export of 100,000 devices, takes well under a second.
   */
  statement: 15_000,
  /**
   * For waiting for another transaction's lock. This limit is shorter than `statement`, so the error names the right
   * cause.
   */
  lock: 10_000,
  /** For idling in a transaction. An idle transaction holds locks, and its owner has most likely lost track of it. */
  idleInTransaction: 60_000,
  /** For opening the connection that listens for notifications. A failed attempt is retried. */
  connect: 10_000,
  /** For waiting for a free connection. */
  acquire: 30_000,
} as const;

/**
 * PostgreSQL timeouts, in milliseconds. The embedded database can't enforce them: WebAssembly has no signals or timers,
 * so a statement always runs to completion.
 */
export const timeouts = {
  /**
   * How long a statement may run. The slowest ordinary statement, an export of 100,000 devices, takes well under a
   * second.
   */
  statement: 15_000,
  /**
   * How long a statement may wait for another transaction's lock. Shorter than `statement`, so the error names the
   * right cause.
   */
  lock: 10_000,
  /** How long a transaction may be idle. An idle one holds locks, and its owner has most likely lost track of it. */
  idleInTransaction: 60_000,
  /** How long opening the connection that listens for notifications may take. A failed attempt is retried. */
  connect: 10_000,
  /** How long a call may wait for a free connection. */
  acquire: 30_000,
} as const;

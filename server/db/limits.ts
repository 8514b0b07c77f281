/**
 * How long statements may take on PostgreSQL, in milliseconds. The embedded database cannot enforce them: it runs in
 * WebAssembly, which has neither signals nor timers, so a statement that has begun there runs to its end.
 */
export const limits = {
  /** One statement. The slowest ordinary one, an export of 100,000 devices, takes well under a second. */
  statement: 15_000,
  /**
   * Waiting for a lock that somebody else holds. Shorter than `statement`, so that the answer names the right cause.
   */
  lock: 10_000,
  /** A transaction in which nothing happens. It holds locks, and its owner has most likely lost track of it. */
  idleInTransaction: 60_000,
  /** Making the connection that listens, which is tried again. */
  connect: 10_000,
  /** Waiting for a connection to come free. */
  acquire: 30_000,
} as const;

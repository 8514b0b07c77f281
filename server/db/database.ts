import type { ExtractTablesWithRelations } from 'drizzle-orm';
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgTransaction } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';

type NoSchema = Record<string, never>;

export type Orm = NodePgDatabase<NoSchema>;
export type Tx = PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>;
/** The type for helpers that work both inside and outside a transaction. */
export type Executor = Orm | Tx;

/** An open database, with the same interface whether it is embedded or a server. */
export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /**
   * For individual statements outside a transaction. Inside `transaction`, use its `tx` for all statements. The
   * embedded database has only one connection, so any other statement would deadlock with the transaction.
   */
  readonly orm: Orm;
  /** Connections for features beyond the ORM: COPY, advisory locks, VACUUM. */
  readonly pool: Pool;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Calls `receive` for each NOTIFY on the channel, in order, after its transaction has committed. Calls `missed` after
   * restoring a lost connection: the notifications in between are lost. Resolves to a function that stops listening.
   */
  listen(channel: string, receive: (payload: string) => void, missed?: () => void): Promise<() => Promise<void>>;
  /** Closes all connections, and the embedded database itself. Idempotent. */
  close(): Promise<void>;
}

/** Thrown if the database can't be opened for a reason the user can fix. The message is for the user. */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError';
}

/** Thrown if another process has the data folder open. */
export class DataFolderInUseError extends DatabaseUnavailableError {
  override name = 'DataFolderInUseError';
}

/** Thrown if the data folder contains a damaged database or other files. Nothing in it was changed. */
export class DataFolderCorruptError extends DatabaseUnavailableError {
  override name = 'DataFolderCorruptError';
}

/** Thrown if another transaction kept the same rows locked for too long. */
export class BlockedError extends Error {
  override name = 'BlockedError';
}

/** Thrown if no connection became free in time. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError';
}

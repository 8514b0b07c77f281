import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { ExtractTablesWithRelations } from 'drizzle-orm';
import type { PgTransaction } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';

type NoSchema = Record<string, never>;

export type Orm = NodePgDatabase<NoSchema>;
export type Tx = PgTransaction<NodePgQueryResultHKT, NoSchema, ExtractTablesWithRelations<NoSchema>>;
/** Either: for helpers that read or write as part of whatever their caller has open. */
export type Executor = Orm | Tx;

/** One open database, the same to its users whether it is embedded or a server. */
export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /**
   * For single statements outside a transaction. The embedded flavour has one connection: inside `transaction` use its
   * `tx` for everything, or the statement waits for the transaction that waits for it.
   */
  readonly orm: Orm;
  /** Connections for what the ORM does not do: COPY, advisory locks, VACUUM. */
  readonly pool: Pool;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Calls `receive` for each NOTIFY on the channel, in order, after its transaction has committed; resolves to what
   * ends it. `missed` is called when the connection was lost and is back, as notifications in between are lost.
   */
  listen(channel: string, receive: (payload: string) => void, missed?: () => void): Promise<() => Promise<void>>;
  /** Ends all connections, and the embedded database itself. Idempotent. */
  close(): Promise<void>;
}

/** The database cannot be opened, for a reason that a person can act on; the message is the whole sentence to show. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** Another process has the data folder open. */
export class DataFolderInUse extends DatabaseUnavailable {
  override name = 'DataFolderInUse';
}

/** The data folder holds something else than a database of ours, or a damaged one. Nothing in it was changed. */
export class DataFolderCorrupt extends DatabaseUnavailable {
  override name = 'DataFolderCorrupt';
}

/** No connection came free in time. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy';
}

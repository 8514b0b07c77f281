import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';

import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

export interface OpenOptions {
  /** The URL of the PostgreSQL server. The default is the embedded PGlite. */
  readonly url?: string | undefined;
  /** The folder of the embedded database. The default is a database in memory. */
  readonly folder?: string | undefined;
  /** Logs lost connections. */
  readonly log?: Log | undefined;
}

/**
 * Opens the database.
 *
 * @throws DatabaseUnavailableError, with a message for the user who starts the server
 */
export function openDatabase({ url, folder, log }: OpenOptions): Promise<Database> {
  return url ? openPostgres(url, log) : openPglite(folder, log);
}

import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';

import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

export interface OpenOptions {
  /** The PostgreSQL to use; the default is the embedded PGlite. */
  readonly url?: string | undefined;
  /** The folder of the embedded database; without a folder, the database is in memory. */
  readonly folder?: string | undefined;
  /** Logs lost connections. */
  readonly log?: Log | undefined;
}

/**
 * Opens the database.
 *
 * @throws DatabaseUnavailableError, with a sentence for the person who starts the server
 */
export function openDatabase({ url, folder, log }: OpenOptions): Promise<Database> {
  return url ? openPostgres(url, log) : openPglite(folder, log);
}

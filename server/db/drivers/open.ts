import type { Log } from '#server/base/log.ts';
import type { Database } from '#server/db/database.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

export interface OpenOptions {
  /** PostgreSQL to use; without it the embedded PGlite. */
  readonly url?: string | undefined;
  /** Where the embedded database lives; without it, in memory. */
  readonly folder?: string | undefined;
  /** Told about lost connections. */
  readonly log?: Log | undefined;
}

/** Opens the database. Throws DatabaseUnavailable, with a sentence for the person who starts the server. */
export function openDatabase({ url, folder, log }: OpenOptions): Promise<Database> {
  return url ? openPostgres(url, log) : openPglite(folder, log);
}

import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { DataFolderCorruptError } from '#server/db/database.ts';

import { lockFile } from './lock-file.ts';

/** A data folder that belongs to this process until it calls `release`. */
export interface DataFolder {
  /** PGlite's own folder inside the data folder. */
  readonly database: string;
  /** True if there is no database yet. Create one in `initializing`, and then call `install`. */
  readonly fresh: boolean;
  readonly initializing: string;
  install(): Promise<void>;
  release(): Promise<void>;
}

/** The PostgreSQL release inside PGlite, which can't read a folder created by a different release. */
const POSTGRES_VERSION = '18';
/** The size of PostgreSQL's control file in bytes. */
const CONTROL_FILE_SIZE = 8192;

/**
 * Claims `folder` for this process, creating it if necessary. PGlite itself has no lock, so a second process on the
 * same folder would silently lose writes.
 *
 * @throws DataFolderInUseError or DataFolderCorruptError before changing anything
 */
export async function claimDataFolder(folder: string): Promise<DataFolder> {
  const database = join(folder, 'database');
  const initializing = join(folder, 'database.initializing');
  await mkdir(folder, { recursive: true });
  const release = await lockFile(join(folder, 'quarterdeck.lock'), folder);
  try {
    const fresh = await isFresh(database);
    if (fresh) await rm(initializing, { recursive: true, force: true });
    return { database, fresh, initializing, install: () => rename(initializing, database), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Checks the existing files first because PGlite overwrites anything it doesn't recognize with a new database. */
async function isFresh(database: string): Promise<boolean> {
  const entries = await readdir(database).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new DataFolderCorruptError(
      `${database} isn't a readable folder (${error.code}). Start with a different data folder.`,
    );
  });
  if (entries.length === 0) return true;

  const version = (await readFile(join(database, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version !== POSTGRES_VERSION) {
    const contents = version === '' ? 'no database' : `a database of PostgreSQL ${version}`;
    throw new DataFolderCorruptError(
      `${database} contains ${contents}, but PostgreSQL ${POSTGRES_VERSION} is required. ` +
        'Restore it from a backup, or start with a different data folder.',
    );
  }
  const control = await stat(join(database, 'global', 'pg_control')).catch(() => undefined);
  if (control?.size !== CONTROL_FILE_SIZE) {
    throw new DataFolderCorruptError(
      `The database in ${database} is damaged, because its control file is missing or truncated. ` +
        'Restore it from a backup, or start with a different data folder.',
    );
  }
  return false;
}

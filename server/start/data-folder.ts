import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { SEALING_KEY_BYTES } from '#server/base/secrets.ts';
import { lockFile } from '#server/db/drivers/lock-file.ts';

// The contents of a data folder: `database` (and `database.initializing` during its creation), `identity` (accounts of
// the embedded provider), `sealing.key`, and locks. The key is written first, so it identifies a folder as ours.
const KEY_FILE = 'sealing.key';
const LOCK = 'server.lock';
const ownFiles = [KEY_FILE, `${KEY_FILE}.new`, 'database', 'database.initializing', 'identity'];
const isLock = (name: string): boolean => /^(server|quarterdeck)\.lock/.test(name);
/** True for files that an interrupted start can leave behind before the folder contains any data. */
const isLeftover = (name: string): boolean => isLock(name) || name === `${KEY_FILE}.new`;

/** Thrown if the data folder can't be used as requested. It hasn't been changed. The message is for the user. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

/**
 * Claims the folder for this process, creating it if necessary.
 *
 * @returns a function that releases it
 * @throws DataFolderInUseError, DataFolderError
 */
export async function claimDataFolder(folder: string): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFolderError(
      `${folder} can't be used as a data folder (${codeOf(error)}). Choose another with --data.`,
    );
  }
  return lockFile(join(folder, LOCK), folder);
}

/**
 * Removes all our files from the folder.
 *
 * @throws DataFolderError if it contains anything else, or the files aren't ours
 */
export async function clearDataFolder(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !isLeftover(name));
  const foreignFile = names.find((name) => !ownFiles.includes(name));
  if (foreignFile !== undefined) {
    throw new DataFolderError(
      `${folder} contains "${foreignFile}", which doesn't belong to Quarterdeck. --fresh only empties folders that contain nothing else.`,
    );
  }
  if (names.length > 0 && !names.includes(KEY_FILE)) {
    throw new DataFolderError(
      `${folder} doesn't look like a Quarterdeck data folder (it has no ${KEY_FILE}), so --fresh doesn't empty it.`,
    );
  }
  // The key is deleted last, so the folder is still recognized as ours after an interruption.
  for (const name of ownFiles.toReversed()) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Returns the key that encrypts secrets in the database and the accounts file, created at the first start.
 *
 * @throws DataFolderError if the file contains something else
 */
export async function loadSealingKey(folder: string): Promise<Buffer> {
  const path = join(folder, KEY_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new DataFolderError(`${path} can't be read (${codeOf(error)}).`);
  });
  if (text === undefined) return await createSealingKey(folder, path);
  const key = Buffer.from(text, 'base64');
  if (key.length !== SEALING_KEY_BYTES) {
    throw new DataFolderError(`${path} is damaged. Restore it from a backup, or start with a different data folder.`);
  }
  return key;
}

async function createSealingKey(folder: string, path: string): Promise<Buffer> {
  // A database without a key means that the key was lost, and a new key couldn't decrypt the secrets. Any other file
  // isn't ours.
  const foreignFile = (await readdir(folder)).find((name) => !isLeftover(name));
  if (foreignFile !== undefined) {
    throw new DataFolderError(
      `${folder} contains "${foreignFile}" but no ${KEY_FILE}. Restore the key from a backup, or start with a different data folder.`,
    );
  }
  const key = randomBytes(SEALING_KEY_BYTES);
  // Write the complete file before moving it into place: a key truncated by a full disk would look damaged.
  await writeFile(`${path}.new`, key.toString('base64'), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return key;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

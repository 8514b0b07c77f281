import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFile } from '#server/db/drivers/lock-file.ts';
import { SEALING_KEY_BYTES } from '#server/base/secrets.ts';

// What a data folder holds: `database` (and `database.initializing` while it is made), `identity` (accounts of the
// embedded provider), `sealing.key`, and locks. The key is written first, so its presence tells a folder of ours.
const KEY_FILE = 'sealing.key';
const LOCK = 'server.lock';
const kept = [KEY_FILE, `${KEY_FILE}.new`, 'database', 'database.initializing', 'identity'];
const isLock = (name: string): boolean => /^(server|quarterdeck)\.lock/.test(name);
/** What a start that was cut short leaves, before there is anything to lose. */
const isLeftover = (name: string): boolean => isLock(name) || name === `${KEY_FILE}.new`;

/** The data folder cannot be used as asked; nothing in it was changed. The message is the sentence to show. */
export class DataFolderRefused extends Error {
  override name = 'DataFolderRefused';
}

/**
 * Claims the folder for this process, making it when needed.
 *
 * @returns what gives it back
 * @throws DataFolderInUse, DataFolderRefused
 */
export async function claim(folder: string): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFolderRefused(
      `${folder} cannot be used as a data folder (${codeOf(error)}): choose another with --data.`,
    );
  }
  return lockFile(join(folder, LOCK), folder);
}

/**
 * Removes everything that we keep in the folder.
 *
 * @throws DataFolderRefused when it holds anything else, or what it holds is not ours
 */
export async function empty(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !isLeftover(name));
  const foreign = names.find((name) => !kept.includes(name));
  if (foreign !== undefined) {
    throw new DataFolderRefused(
      `${folder} holds "${foreign}", which is not Quarterdeck's: --fresh empties only a data folder of its own.`,
    );
  }
  if (names.length > 0 && !names.includes(KEY_FILE)) {
    throw new DataFolderRefused(
      `${folder} does not look like a data folder of Quarterdeck's (it has no ${KEY_FILE}): --fresh leaves it alone.`,
    );
  }
  // The key goes last: broken off halfway, the folder is still known to be ours.
  for (const name of kept.toReversed()) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * The key that seals secrets in the database and the accounts file, made at the first start.
 *
 * @throws DataFolderRefused when the file holds something else
 */
export async function sealingKeyIn(folder: string): Promise<Buffer> {
  const path = join(folder, KEY_FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new DataFolderRefused(`${path} cannot be read (${codeOf(error)}).`);
  });
  if (text === undefined) return await newKey(folder, path);
  const key = Buffer.from(text, 'base64');
  if (key.length !== SEALING_KEY_BYTES) {
    throw new DataFolderRefused(`${path} is damaged: restore it from a backup, or start with another data folder.`);
  }
  return key;
}

async function newKey(folder: string, path: string): Promise<Buffer> {
  // A database without its key: somebody lost it, and a new one would not open what is sealed. Anything else is not
  // ours.
  const found = (await readdir(folder)).find((name) => !isLeftover(name));
  if (found !== undefined) {
    throw new DataFolderRefused(
      `${folder} holds "${found}" and no ${KEY_FILE}: restore the key from a backup, or start with another data folder.`,
    );
  }
  const key = randomBytes(SEALING_KEY_BYTES);
  // Moved into place when whole: one that a full disk cut short would look like a key that got damaged.
  await writeFile(`${path}.new`, key.toString('base64'), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return key;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { DataFolderInUseError } from '#server/db/database.ts';

/** The owner of a lock. `started` distinguishes two processes that had the same pid at different times. */
interface Owner {
  readonly pid: number;
  readonly started: string;
}

/**
 * Acquires the lock at `path` for this process, or takes it over from a process that was killed. Resolves to a function
 * that releases the lock.
 *
 * Each owner has its own file (`path`, `path.1`, `path.2`, and so on), and the file with the highest number is the
 * lock. A process takes over a lock by creating the next file, which succeeds for only one of several processes.
 * Numbers are never reused. If a single file were removed and recreated, a process that had read the old file could
 * remove the new file.
 *
 * @throws DataFolderInUseError, which names `folder`, while its owner is alive
 */
export async function lockFile(path: string, folder: string): Promise<() => Promise<void>> {
  const entry = JSON.stringify({ pid: process.pid, started: await readStartTime(process.pid) } satisfies Owner);
  for (;;) {
    const last = Math.max(-1, ...(await readNumbers(path)));
    const owner = last < 0 ? undefined : await readOwner(lockPath(path, last));
    if (owner !== undefined && (await isAlive(owner))) {
      throw new DataFolderInUseError(
        `The data folder ${folder} is in use by process ${owner.pid}. Stop that process, or start with a different data folder.`,
      );
    }
    const number = last + 1;
    if (!(await create(lockPath(path, number), entry))) continue; // Another process was faster.
    const numbers = await readNumbers(path);
    if (numbers.some((value) => value > number)) {
      // The number was used and cleaned up during the check.
      await rm(lockPath(path, number), { force: true });
      continue;
    }
    for (const value of numbers) if (value < number) await rm(lockPath(path, value), { force: true });
    return () => releaseFile(lockPath(path, number));
  }
}

const lockPath = (path: string, number: number): string => (number === 0 ? path : `${path}.${number}`);

/** Reads the numbers of the lock's files at `path`. */
async function readNumbers(path: string): Promise<number[]> {
  const first = basename(path);
  const names = (await readdir(dirname(path))).filter((name) => name === first || name.startsWith(`${first}.`));
  return names.map((name) => Number(name.slice(first.length + 1))).filter((number) => Number.isSafeInteger(number));
}

/**
 * Creates the file by linking a complete file into place. Creating a file and then writing it would leave it empty for
 * a moment, so it would look stale.
 */
async function create(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, text);
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Empties the file, which works even on a full disk. Removing it would allow its number to be reused. */
async function releaseFile(path: string): Promise<void> {
  await truncate(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error; // The folder was removed.
  });
}

/** Reads the owner. Returns undefined if the lock was released or its owner was killed while writing it. */
async function readOwner(path: string): Promise<Owner | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // A later owner took over.
    throw error;
  }
  try {
    const { pid, started } = JSON.parse(text) as Partial<Owner>;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, started }: Owner): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process is alive but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === (await readStartTime(pid));
}

/**
 * Reads the start time of a process, in ticks since boot. On systems other than Linux, returns an empty string, so only
 * the pid identifies a process.
 */
async function readStartTime(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the command in parentheses, which can contain spaces. The start time is field 22.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

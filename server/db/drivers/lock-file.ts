import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { DataFolderInUse } from '#server/db/database.ts';

/** Who holds a lock; `started` tells apart two processes that got the same pid one after the other. */
interface Owner {
  readonly pid: number;
  readonly started: string;
}

/**
 * Takes the lock at `path` for this process; a lock whose process is gone (killed) is taken over. Resolves to what
 * gives it back. Throws DataFolderInUse, naming `folder`, while its owner lives.
 *
 * Each owner has a file of its own: `path`, `path.1`, `path.2` and so on, and the last one counts. A lock is taken over
 * by making the next file, which only one of several can, and a number is never used again: a single file that is
 * removed and made anew could be removed by whoever saw the one before it.
 */
export async function lockFile(path: string, folder: string): Promise<() => Promise<void>> {
  const mine = JSON.stringify({ pid: process.pid, started: await startOf(process.pid) } satisfies Owner);
  for (;;) {
    const last = Math.max(-1, ...(await numbersOf(path)));
    const owner = last < 0 ? undefined : await ownerOf(nameOf(path, last));
    if (owner !== undefined && (await isAlive(owner))) {
      throw new DataFolderInUse(
        `The data folder ${folder} is in use by process ${owner.pid}. Stop that one, or start with another data folder.`,
      );
    }
    const number = last + 1;
    if (!(await create(nameOf(path, number), mine))) continue; // somebody else was first
    const others = await numbersOf(path);
    if (others.some((value) => value > number)) {
      // Its number was used and cleared away while this process looked.
      await rm(nameOf(path, number), { force: true });
      continue;
    }
    for (const value of others) if (value < number) await rm(nameOf(path, value), { force: true });
    return () => giveBack(nameOf(path, number));
  }
}

const nameOf = (path: string, number: number): string => (number === 0 ? path : `${path}.${number}`);

/** The numbers of the files of the lock at `path`. */
async function numbersOf(path: string): Promise<number[]> {
  const first = basename(path);
  const names = (await readdir(dirname(path))).filter((name) => name === first || name.startsWith(`${first}.`));
  return names.map((name) => Number(name.slice(first.length + 1))).filter((number) => Number.isSafeInteger(number));
}

/** Linked into place, as a file opened here and then written would be seen empty, and so stale, in between. */
async function create(path: string, text: string): Promise<boolean> {
  const written = `${path}.${randomUUID()}`;
  try {
    await writeFile(written, text);
    await link(written, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(written, { force: true });
  }
}

/** Empties it, which needs no space on a full disk; removed, its number would be used again. */
async function giveBack(path: string): Promise<void> {
  await truncate(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error; // the folder was removed meanwhile
  });
}

/** Undefined for a lock that was given back, or cut short by a kill while it was written. */
async function ownerOf(path: string): Promise<Owner | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // a later one took over meanwhile
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
    // EPERM: it lives, as somebody else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === (await startOf(pid));
}

/**
 * When a process started, in ticks since boot, where the system tells (Linux); else empty, and the pid decides alone.
 */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the command in parentheses, which may hold spaces; the start time is field 22.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

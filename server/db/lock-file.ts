import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { DataFolderInUse } from './database.ts';

/** Who holds a lock; `started` tells apart two processes that got the same pid one after the other. */
interface Owner {
  pid: number;
  started: string;
}

/**
 * Takes the lock file at `path` for this process; a lock whose process is gone (killed) is taken over. Resolves to what
 * gives it back. Throws DataFolderInUse, naming `folder`, while its owner lives.
 */
export async function lockFile(path: string, folder: string): Promise<() => Promise<void>> {
  const mine = JSON.stringify({ pid: process.pid, started: await startOf(process.pid) } satisfies Owner);
  for (;;) {
    if (await create(path, mine)) return () => giveBack(path, mine);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue; // given back since
    const owner = parse(text);
    if (owner !== undefined && (await isAlive(owner))) {
      throw new DataFolderInUse(
        `The data folder ${folder} is in use by process ${owner.pid}. Stop that one, or start with another data folder.`,
      );
    }
    await removeStale(path, text);
  }
}

/** Linked into place, as a file opened here and then written would be seen empty, and so stale, in between. */
async function create(path: string, text: string): Promise<boolean> {
  const written = `${path}.${randomUUID()}`;
  await writeFile(written, text);
  try {
    await link(written, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(written, { force: true });
  }
}

/** Moves it aside before removing: of two processes that saw the same stale lock, one must not remove the other's new one. */
async function removeStale(path: string, seen: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return; // somebody else moved it
  }
  if ((await readFile(aside, 'utf8')) !== seen) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function giveBack(path: string, mine: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === mine) await rm(path, { force: true });
}

/** Undefined for a lock that was cut short by a kill while it was written. */
function parse(text: string): Owner | undefined {
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

/** When a process started, in ticks since boot, where the system tells (Linux); else empty, and the pid decides alone. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the command in parentheses, which may hold spaces; the start time is field 22.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

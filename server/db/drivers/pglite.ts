import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '#server/base/log.ts';
import { pgliteWorker } from '#server/base/paths.ts';
import { claimDataFolder, type DataFolder } from './data-folder.ts';
import { type Database, DataFolderCorrupt, DatabaseUnavailable } from '#server/db/database.ts';
import { limits } from '#server/db/limits.ts';
import { ormOver } from '#server/db/orm.ts';
import { PgliteStream, type WorkerPost } from './pglite-stream.ts';
import { PatientPool } from '#server/db/pool/pool.ts';
import { WORK_MEM } from './settings.ts';
import { transactionOver } from '#server/db/transaction.ts';

export interface PgliteDatabase extends Database {
  /** Writes an image to a file, from which a database in memory can be started in a tenth of the time of a new one. */
  dump(path: string): Promise<void>;
}

/**
 * Opens PGlite in a thread of its own: on `folder`, which is claimed for this process, or in memory, new or from an
 * image that `dump` wrote.
 */
export async function openPglite(folder?: string, log?: Log, image?: string): Promise<PgliteDatabase> {
  const claimed = folder === undefined ? undefined : await claimDataFolder(folder);
  try {
    const worker = await startWorker(claimed, image);
    return connected(worker, claimed, log);
  } catch (error) {
    await claimed?.release();
    throw error;
  }
}

async function startWorker(claimed: DataFolder | undefined, image: string | undefined): Promise<Worker> {
  if (claimed?.fresh) {
    // Made aside and moved into place when whole, so that a kill during the first start leaves no half database.
    const worker = await runWorker(claimed.initializing);
    await stopWorker(worker);
    await claimed.install();
  }
  try {
    return await runWorker(claimed?.database, image);
  } catch (error) {
    if (claimed === undefined || error instanceof DiskRefused) throw error;
    throw new DataFolderCorrupt(
      `The database in ${claimed.database} cannot be opened (${(error as Error).message}). ` +
        'Restore it from a backup, or start with another data folder.',
      { cause: error },
    );
  }
}

let compiling: Promise<WebAssembly.Module> | undefined;

/**
 * PGlite's code, compiled once: threads that get it share what each of them would otherwise compile for half a
 * second.
 */
const compiled = (): Promise<WebAssembly.Module> =>
  (compiling ??= readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then((bytes) =>
    WebAssembly.compile(bytes),
  ));

async function runWorker(folder: string | undefined, image?: string): Promise<Worker> {
  const worker = new Worker(pgliteWorker, {
    workerData: { folder, image, workMem: WORK_MEM, module: await compiled() },
  });
  const [post] = (await once(worker, 'message')) as [WorkerPost];
  if ('failed' in post) {
    if (post.code !== undefined) throw new DiskRefused(post.code, folder, post.failed);
    throw new DatabaseUnavailable(post.failed);
  }
  return worker;
}

/** The disk did not let the embedded database be made or opened. In the shape of Node's own errors. */
class DiskRefused extends Error {
  override name = 'DiskRefused';
  readonly code: string;
  readonly path: string | undefined;

  constructor(code: string, path: string | undefined, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

async function stopWorker(worker: Worker): Promise<void> {
  const gone = once(worker, 'exit');
  worker.postMessage(null);
  await gone;
}

function connected(worker: Worker, claimed: DataFolder | undefined, log: Log | undefined): PgliteDatabase {
  // One connection: PGlite is one session, and more than one client on it would share its transactions.
  const pool = new PatientPool({
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: limits.acquire,
    stream: () => new PgliteStream(worker),
  });
  pool.on('error', (error) => log?.error('The embedded database failed.', { reason: error.message }));

  const listeners = new Map<string, Set<(payload: string) => void>>();
  pool.on('connect', (client) =>
    client.on('notification', ({ channel, payload }) => {
      for (const receive of listeners.get(channel) ?? []) receive(payload ?? '');
    }),
  );

  const orm = ormOver(pool);
  let closing: Promise<void> | undefined;
  return {
    kind: 'pglite',
    orm,
    pool,
    transaction: (work) => transactionOver(pool, work),
    async listen(channel, receive) {
      const receivers = listeners.get(channel) ?? new Set();
      listeners.set(channel, receivers.add(receive));
      await pool.query(`listen ${channel}`);
      return async () => {
        receivers.delete(receive);
        if (receivers.size === 0 && closing === undefined) await pool.query(`unlisten ${channel}`);
      };
    },
    async dump(path) {
      const done = new Promise<void>((resolve) => {
        const receive = (post: WorkerPost) => {
          if (!('dumped' in post) || post.dumped !== path) return;
          worker.off('message', receive);
          resolve();
        };
        worker.on('message', receive);
      });
      worker.postMessage({ dump: path });
      await done;
    },
    close() {
      closing ??= (async () => {
        await pool.end();
        await stopWorker(worker);
        await claimed?.release();
      })();
      return closing;
    },
  };
}

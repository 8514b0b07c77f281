import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

import type { Pool } from 'pg';

import type { Log } from '#server/base/log.ts';
import { pgliteWorker } from '#server/base/paths.ts';
import { type Database, DataFolderCorruptError, DatabaseUnavailableError } from '#server/db/database.ts';
import { timeouts } from '#server/db/limits.ts';
import { createOrm } from '#server/db/orm.ts';
import { FairPool } from '#server/db/pool/pool.ts';
import { runTransaction } from '#server/db/transaction.ts';

import { claimDataFolder, type DataFolder } from './data-folder.ts';
import { PgliteStream, type WorkerPost } from './pglite-stream.ts';
import { EMBEDDED_SHARED_BUFFERS, WORK_MEM } from './settings.ts';

/** A running PGlite, which outlives its connections. */
export interface Pglite {
  /** Opens a pool of connections. Closing the pool does not stop PGlite. */
  connect(log?: Log): Database;
  /** Writes an image to a file. Starting an in-memory database from it is ten times faster than creating one. */
  dump(path: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts PGlite in its own thread. The database is in `folder`, which is locked for this process, or in memory. An
 * in-memory database is empty or loaded from an image that `dump` wrote.
 */
export async function startPglite(folder?: string, image?: string): Promise<Pglite> {
  const dataFolder = folder === undefined ? undefined : await claimDataFolder(folder);
  try {
    const worker = await startWorker(dataFolder, image);
    return {
      connect: (log) => connectTo(worker, log),
      dump: (path) => dumpTo(worker, path),
      async stop() {
        await stopWorker(worker);
        await dataFolder?.release();
      },
    };
  } catch (error) {
    await dataFolder?.release();
    throw error;
  }
}

/** Opens PGlite on `folder`, or in memory. Closing the database stops it. */
export async function openPglite(folder?: string, log?: Log): Promise<Database> {
  const pglite = await startPglite(folder);
  const database = pglite.connect(log);
  let closing: Promise<void> | undefined;
  return { ...database, close: () => (closing ??= database.close().then(() => pglite.stop())) };
}

async function startWorker(dataFolder: DataFolder | undefined, image: string | undefined): Promise<Worker> {
  if (dataFolder?.fresh) {
    // Create the database separately and move it into place when complete, so a kill during the first start leaves no
    // partial database.
    const worker = await runWorker(dataFolder.initializing);
    await stopWorker(worker);
    await dataFolder.install();
  }
  try {
    return await runWorker(dataFolder?.database, image);
  } catch (error) {
    if (dataFolder === undefined || error instanceof DiskError) throw error;
    throw new DataFolderCorruptError(
      `The database in ${dataFolder.database} can't be opened (${(error as Error).message}). ` +
        'Restore it from a backup, or start with a different data folder.',
      { cause: error },
    );
  }
}

let compiling: Promise<WebAssembly.Module> | undefined;

/** Compiles PGlite's code only once, because that takes half a second. */
const compileModule = (): Promise<WebAssembly.Module> =>
  (compiling ??= readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then((bytes) =>
    WebAssembly.compile(bytes),
  ));

const settings = { work_mem: WORK_MEM, shared_buffers: EMBEDDED_SHARED_BUFFERS };

async function runWorker(folder: string | undefined, image?: string): Promise<Worker> {
  const worker = new Worker(pgliteWorker, {
    workerData: { folder, image, settings, module: await compileModule() },
  });
  const [post] = (await once(worker, 'message')) as [WorkerPost];
  if ('failed' in post) {
    if (post.code !== undefined) throw new DiskError(post.code, folder, post.failed);
    throw new DatabaseUnavailableError(post.failed);
  }
  return worker;
}

/** Thrown if the disk prevents creating or opening the embedded database. It has the shape of Node's own errors. */
class DiskError extends Error {
  override name = 'DiskError';
  readonly code: string;
  readonly path: string | undefined;

  constructor(code: string, path: string | undefined, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

async function stopWorker(worker: Worker): Promise<void> {
  const exited = once(worker, 'exit');
  worker.postMessage(null);
  await exited;
}

function connectTo(worker: Worker, log: Log | undefined): Database {
  // Use a single connection because PGlite is one session and several clients would share its transactions.
  const pool: Pool = new FairPool({
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: timeouts.acquire,
    stream: () => new PgliteStream(worker),
  });
  pool.on('error', (error) => log?.error('The embedded database failed.', { reason: error.message }));

  const listeners = new Map<string, Set<(payload: string) => void>>();
  pool.on('connect', (client) =>
    client.on('notification', ({ channel, payload }) => {
      for (const receive of listeners.get(channel) ?? []) receive(payload ?? '');
    }),
  );

  const orm = createOrm(pool);
  let closing: Promise<void> | undefined;
  return {
    kind: 'pglite',
    orm,
    pool,
    transaction: (work) => runTransaction(pool, work),
    async listen(channel, receive) {
      const receivers = listeners.get(channel) ?? new Set();
      listeners.set(channel, receivers.add(receive));
      await pool.query(`listen ${channel}`);
      return async () => {
        receivers.delete(receive);
        if (receivers.size === 0 && closing === undefined) await pool.query(`unlisten ${channel}`);
      };
    },
    close: () => (closing ??= pool.end()),
  };
}

async function dumpTo(worker: Worker, path: string): Promise<void> {
  const completion = new Promise<void>((resolve) => {
    const receive = (post: WorkerPost) => {
      if (!('dumped' in post) || post.dumped !== path) return;
      worker.off('message', receive);
      resolve();
    };
    worker.on('message', receive);
  });
  worker.postMessage({ dump: path });
  await completion;
}

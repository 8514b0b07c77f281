// @ts-check
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/**
 * The thread that runs PGlite, because PGlite blocks the event loop it runs on. It speaks the PostgreSQL wire protocol
 * over its port: frontend messages in, backend messages out, in order, each with the connection they belong to;
 * `null` closes the database, `dump` writes an image of it to a file, from which another can be started in memory.
 * Plain JavaScript, because Node starts it without a loader for TypeScript.
 */
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { folder, image, workMem, module } =
  /** @type {{ folder?: string, image?: string, workMem: string, module: WebAssembly.Module }} */ (workerData);

/** @type {PGlite | undefined} */
let database;
try {
  database = await PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    ...(image === undefined ? {} : { loadDataDir: new Blob([await readFile(image)]) }),
    extensions: { pg_trgm, btree_gin },
    pgliteWasmModule: module,
  });
  await database.exec(`set work_mem = '${workMem}'`);
  port.postMessage({ ready: true });
} catch (error) {
  port.postMessage({ failed: described(error), code: diskCode(error) });
  port.close();
}

// What a server does when a connection ends. The messages are two simple queries of the wire protocol.
const reset = Buffer.concat(['rollback', 'deallocate all'].map(simpleQuery));

let queue = Promise.resolve();

/** @typedef {{ connection: number, data: Uint8Array } | { end: true } | { dump: string } | null} Message */

port.on('message', (/** @type {Message} */ message) => {
  queue = queue.then(async () => {
    if (message === null) await close();
    else if ('end' in message) await execute(reset, undefined);
    else if ('dump' in message) await dump(message.dump);
    else await execute(message.data, message.connection);
  });
});

/**
 * @param {Uint8Array} messages
 * @param {number | undefined} connection who gets the answer
 */
async function execute(messages, connection) {
  try {
    await database?.execProtocolRawStream(messages, {
      // The buffer belongs to PGlite's memory: posting copies it.
      onRawData: (data) => {
        if (connection !== undefined) port.postMessage({ connection, data: data.slice() });
      },
    });
  } catch (error) {
    port.postMessage({ failed: described(error) });
  }
}

/**
 * Whole or not at all: others may read it while it is written.
 *
 * @param {string} path
 */
async function dump(path) {
  const blob = await database?.dumpDataDir('none');
  if (blob === undefined) return;
  await writeFile(`${path}.${process.pid}`, Buffer.from(await blob.arrayBuffer()));
  await rename(`${path}.${process.pid}`, path);
  port.postMessage({ dumped: path });
}

async function close() {
  await database?.close();
  port.close();
}

/**
 * What the disk refused, by the name that Node gives it. Emscripten has the numbers of WASI.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
function diskCode(error) {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errno, cause } = /** @type {Record<string, unknown>} */ (error);
  const known = { 2: 'EACCES', 19: 'EDQUOT', 29: 'EIO', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' };
  if (typeof code === 'string' && Object.values(known).includes(code)) return code;
  return known[/** @type {keyof typeof known} */ (errno)] ?? diskCode(cause);
}

/**
 * Emscripten throws objects that are no errors: of the file system with an `errno`, of an exit with a `status`. Only
 * text can be posted.
 *
 * @param {unknown} error
 * @returns {string}
 */
function described(error) {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message, code, errno, status, cause } = /** @type {Record<string, unknown>} */ (error);
  const details = Object.entries({ code, errno, status }).filter(([, value]) => value !== undefined);
  const text = [message || name || 'an unknown error', ...details.map(([key, value]) => `${key} ${String(value)}`)]
    .map(String)
    .join(', ');
  return cause === undefined ? text : `${text}: ${described(cause)}`;
}

/** @param {string} sql */
function simpleQuery(sql) {
  const body = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

// @ts-check
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/**
 * The thread that runs PGlite, which blocks its event loop. Its port carries the PostgreSQL wire protocol. It receives
 * frontend messages and posts backend messages in order, each with its connection. The message `null` closes the
 * database, and `dump` writes an image to a file that another in-memory database can load. The file is plain JavaScript
 * because Node starts the thread without a TypeScript loader.
 */
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { folder, image, settings, module } =
  /** @type {{ folder?: string, image?: string, settings: Record<string, string>, module: WebAssembly.Module }} */ (
    workerData
  );

/** @type {PGlite | undefined} */
let database;
try {
  database = await PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    ...(image === undefined ? {} : { loadDataDir: new Blob([await readFile(image)]) }),
    extensions: { pg_trgm, btree_gin, btree_gist },
    pgliteWasmModule: module,
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  });
  port.postMessage({ ready: true });
} catch (error) {
  port.postMessage({ failed: describe(error), code: diskCode(error) });
  port.close();
}

// Resets the session as a server does when a connection ends. The messages are two simple queries of the wire protocol.
const reset = Buffer.concat(['rollback', 'deallocate all'].map(simpleQuery));

let queue = Promise.resolve();
/** The id of the connection that has the session. Ids increase. */
let current = 0;

/**
 * @typedef {{ connection: number, data: Uint8Array } | { connection: number, end: true } | { dump: string } | null} Message
 */

port.on('message', (/** @type {Message} */ message) => {
  queue = queue.then(async () => {
    if (message === null) await close();
    else if ('dump' in message) await dump(message.dump);
    else if (message.connection >= current) await serve(message);
    // The session already belongs to a later connection, so an earlier one can't use or reset it.
  });
});

/**
 * Executes the messages of a connection, or ends it.
 *
 * @param {Extract<Message, { connection: number }>} message
 */
async function serve(message) {
  const isOtherConnection = message.connection !== current;
  current = message.connection;
  if (isOtherConnection || 'end' in message) await execute(reset, undefined);
  if ('data' in message) await execute(message.data, message.connection);
}

/**
 * The bytes of a response to collect before posting them. PGlite returns rows in pieces of 8 KB, and each message wakes
 * the other thread.
 */
const POST_SIZE = 512 * 1024;

/**
 * Executes messages of PostgreSQL's wire protocol.
 *
 * @param {Uint8Array} messages
 * @param {number | undefined} connection the connection that gets the response
 */
async function execute(messages, connection) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  let parts = [];
  let size = 0;
  const post = () => {
    const data = join(parts, size);
    parts = [];
    size = 0;
    if (connection !== undefined && data.length > 0) port.postMessage({ connection, data }, [data.buffer]);
  };
  try {
    await database?.execProtocolRawStream(messages, {
      onRawData: (data) => {
        // The buffer belongs to PGlite's memory, so it must be copied.
        parts.push(data.slice());
        size += data.length;
        if (size >= POST_SIZE) post();
      },
    });
    post();
  } catch (error) {
    post();
    port.postMessage({ failed: describe(error) });
  }
}

/**
 * @param {readonly Uint8Array<ArrayBuffer>[]} parts
 * @param {number} size their total length
 */
function join(parts, size) {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const data = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    data.set(part, offset);
    offset += part.length;
  }
  return data;
}

/**
 * Writes the file atomically because other processes can read it at the same time.
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
 * Returns Node's name for a disk error, or undefined for any other error. Emscripten uses WASI's error numbers.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
function diskCode(error) {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errno, cause } = /** @type {Record<string, unknown>} */ (error);
  const diskCodes = { 2: 'EACCES', 19: 'EDQUOT', 29: 'EIO', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' };
  if (typeof code === 'string' && Object.values(diskCodes).includes(code)) return code;
  return diskCodes[/** @type {keyof typeof diskCodes} */ (errno)] ?? diskCode(cause);
}

/**
 * Describes an error as a string because only strings can be posted. Emscripten throws objects that aren't errors: they
 * have an `errno` for the file system or a `status` for an exit.
 *
 * @param {unknown} error
 * @returns {string}
 */
function describe(error) {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message, code, errno, status, cause } = /** @type {Record<string, unknown>} */ (error);
  const details = Object.entries({ code, errno, status }).filter(([, value]) => value !== undefined);
  const text = [message || name || 'an unknown error', ...details.map(([key, value]) => `${key} ${String(value)}`)]
    .map(String)
    .join(', ');
  return cause === undefined ? text : `${text}: ${describe(cause)}`;
}

/**
 * Encodes a simple query as a protocol message.
 *
 * @param {string} sql
 */
function simpleQuery(sql) {
  const body = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

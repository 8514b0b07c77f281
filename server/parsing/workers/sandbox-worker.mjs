// @ts-check
import { parentPort, workerData } from 'node:worker_threads';

import { leastNeeded } from './least-needed.mjs';
import { Realm } from './realm.mjs';

/**
 * The thread that parses messages. It keeps the most recently used realms, one for each organization and definition.
 * It's plain JavaScript because Node starts it without a TypeScript loader.
 *
 * @typedef {import('./definition.mjs').Compiled} Compiled
 * @typedef {import('./realm.mjs').Result} Result
 * @typedef {{ readonly account: string, readonly realm: string, readonly compiled: Compiled, readonly messages:
 *   readonly Uint8Array[], readonly withRanges: boolean }} Request
 */
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/**
 * The index of the message in progress, or its complement (`~index`) while its realm is created. If the thread is
 * stopped, that message is to blame.
 */
const progress = new Int32Array(/** @type {{ progress: SharedArrayBuffer }} */ (workerData).progress);

/** The maximum number of realms. Each takes 2 MB to 20 MB. */
const MAX_REALMS = 16;
/** In order of use, most recent last. */
const realms = /** @type {Map<string, { readonly account: string, readonly realm: Realm }>} */ (new Map());

/** Milliseconds after which a turn ends, so others can take theirs. */
const TURN_MS = 50;

port.on('message', (/** @type {Request} */ request) => void answer(request));

/** @param {Request} request */
async function answer(request) {
  port.postMessage({ results: await parse(request) });
}

/**
 * Parses at least the first message.
 *
 * @param {Request} request
 * @returns {Promise<Result[]>}
 */
async function parse(request) {
  const startedAt = performance.now();
  const results = /** @type {Result[]} */ ([]);
  try {
    for (const message of request.messages) {
      Atomics.store(progress, 0, ~results.length);
      const realm = await loadRealm(request);
      Atomics.store(progress, 0, results.length);
      results.push(realm.parse(message, request.withRanges));
      if (!realm.isUsable) realms.delete(request.realm);
      if (performance.now() - startedAt > TURN_MS) break;
    }
    return results;
  } catch (error) {
    const failure = /** @type {Result} */ ({
      reason: `the parser couldn't be loaded: ${/** @type {Error} */ (error).message}`,
      exceeds: true,
    });
    return request.messages.map((_, index) => results[index] ?? failure);
  }
}

/** @param {Request} request */
async function loadRealm({ account, realm: key, compiled }) {
  const entry = realms.get(key) ?? { account, realm: await Realm.create(compiled) };
  realms.delete(key);
  realms.set(key, entry);
  if (realms.size > MAX_REALMS) realms.delete(leastNeeded(realms) ?? key);
  return entry.realm;
}

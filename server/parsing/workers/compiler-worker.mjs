// @ts-check
import { parentPort } from 'node:worker_threads';

import { compile, DefinitionError, TOO_DEEP } from './definition.mjs';

/** The thread that compiles definitions: text in, generated code out. Plain JavaScript, like all workers. */
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

port.on('message', (/** @type {string} */ text) => void answer(text));

/** @param {string} text */
async function answer(text) {
  try {
    port.postMessage({ compiled: await compile(text) });
  } catch (error) {
    if (error instanceof DefinitionError) port.postMessage({ problem: error.message, line: error.line });
    else if (error instanceof RangeError) port.postMessage({ problem: TOO_DEEP });
    else throw error;
  }
}

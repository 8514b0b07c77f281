// Starts a built server for each worker of the end-to-end tests: `serve-workers.mjs PORT…`. Prints `Ready` when all of
// them respond. The servers start together on copies of one demo because creating it takes most of a first start.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

import { options } from '#server/base/options.mjs';
import { prepare } from '#server/launch/prepare.mjs';

/** @typedef {import('#server/start/data-creation.ts').Creation} Creation */
/** @typedef {import('#server/start/data-creation.ts').CreationResult} CreationResult */

const SERVER = 'dist/server/main.js';
const DATA_CREATION = 'dist/server/start/creation-process.js';
const POLL_MS = 100;

const ports = process.argv.slice(2);
const sealingKey = randomBytes(32).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-e2e-'));
/**
 * The running servers, each with a promise that resolves when it exits.
 *
 * @type {Map<import('node:child_process').ChildProcess, Promise<unknown>>}
 */
const exits = new Map();
process.on('exit', () => {
  for (const child of exits.keys()) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Creates the embedded database with the demo.
 *
 * @param {string} dataFolder
 */
async function createDemo(dataFolder) {
  mkdirSync(dataFolder);
  const child = fork(DATA_CREATION, { serialization: 'advanced' });
  const settings = { dataFolder, demo: true, devices: options.devices.fallback, databaseUrl: undefined };
  child.send(/** @satisfies {Creation} */ ({ settings, sealingKey }));
  /** @type {CreationResult} */
  let result = { failed: undefined };
  child.on('message', (message) => (result = /** @type {CreationResult} */ (message)));
  await once(child, 'close');
  if (!('created' in result)) throw new Error(`The demo was not created. ${result.failed?.message ?? ''}`);
}

/**
 * Starts a server whose fleet is so busy that tests wait only seconds for a message, and waits until it responds.
 *
 * @param {string} port
 * @param {string} dataFolder
 */
async function startServer(port, dataFolder) {
  const args = ['--port', port, '--data', dataFolder, '--rate', '2', '--allow-loopback-deliveries'];
  const child = fork(SERVER, args, {
    env: { NODE_ENV: 'production', ...process.env, QUARTERDECK_SEALING_KEY: sealingKey },
    execArgv: ['--enable-source-maps'],
  });
  const exit = once(child, 'exit');
  void exit.then(() => exits.delete(child));
  exits.set(child, exit);
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}`).catch(() => undefined);
    if (response?.ok) return;
    if (child.exitCode !== null) throw new Error(`The server on port ${port} exited before it responded.`);
    await setTimeout(POLL_MS);
  }
}

// Playwright sends the signal to the whole process group, so each server ends by itself.
process.once('SIGTERM', () => void Promise.all(exits.values()).then(() => process.exit(0)));

await prepare(['console', 'server', 'cli']);
const demo = join(folder, 'demo');
await createDemo(demo);
await Promise.all(
  ports.map((port) => {
    const dataFolder = join(folder, port);
    cpSync(demo, dataFolder, { recursive: true });
    return startServer(port, dataFolder);
  }),
);
console.log('Ready');

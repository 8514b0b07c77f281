import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files that the server reads by name at run time, all in one module, so a bundle can remap them. */

/** The folder of the server's sources, or of its bundle. */
const server = new URL('../', import.meta.url);

/** The SQL migrations with drizzle's journal. */
export const migrationsFolder = fileURLToPath(new URL('db/migrations', server));

/**
 * Entry point of the thread that runs PGlite; plain JavaScript, because Node itself starts workers, without a loader.
 */
export const pgliteWorker = new URL('db/drivers/pglite-worker.mjs', server);

/** Entry points of the threads that compile the definitions of parsers and that parse messages. */
export const compilerWorker = new URL('parsing/workers/compiler-worker.mjs', server);
export const sandboxWorker = new URL('parsing/workers/sandbox-worker.mjs', server);

/** Entry point of the process that runs the embedded identity provider. */
export const identityProviderEntry = fileURLToPath(new URL('demo/identity/provider-process.ts', server));

/** Entry point of the process that initializes a new data folder. */
export const dataCreationEntry = fileURLToPath(new URL('start/creation-process.ts', server));

/** The built console: next to the bundled server in dist, or in dist relative to these sources. */
export const consoleFolder = ['../console', '../dist/console']
  .map((path) => fileURLToPath(new URL(path, server)))
  .reduce((nextToBundle, inDist) => (existsSync(nextToBundle) ? nextToBundle : inDist));

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The files that the server reads by name at run time. They are all in this module, so a bundle can remap them.

/** The folder of the server's sources, or of its bundle. */
const server = new URL('../', import.meta.url);

/** The SQL migrations with drizzle's journal. */
export const migrationsFolder = fileURLToPath(new URL('db/migrations', server));

/**
 * The entry point of the thread that runs PGlite. It is plain JavaScript because Node starts workers without a loader.
 */
export const pgliteWorker = new URL('db/drivers/pglite-worker.mjs', server);

/** The entry points of the threads that compile parser definitions and parse messages. */
export const compilerWorker = new URL('parsing/workers/compiler-worker.mjs', server);
export const sandboxWorker = new URL('parsing/workers/sandbox-worker.mjs', server);

/** The entry point of the process that runs the embedded identity provider. */
export const identityProviderEntry = fileURLToPath(new URL('demo/identity/provider-process.ts', server));

/** The entry point of the process that initializes a new data folder. */
export const dataCreationEntry = fileURLToPath(new URL('start/creation-process.ts', server));

/** The built console, which is next to the bundled server, or in dist if the server runs from its sources. */
export const consoleFolder = ['../console', '../dist/console']
  .map((path) => fileURLToPath(new URL(path, server)))
  .reduce((nextToBundle, inDist) => (existsSync(nextToBundle) ? nextToBundle : inDist));

// `node server/launch/build.mjs console server cli`: builds the given outputs of vite.config.ts, or all by default.
// Runs in a separate process, so the bundler's memory is freed before the server runs.
import process from 'node:process';

import { createBuilder } from 'vite';

import { outputs } from './prepare.mjs';
import { deleteStamp, writeStamp } from './stamps.mjs';

const names = process.argv.slice(2);
const builder = await createBuilder({ logLevel: 'warn' });
try {
  for (const output of outputs) {
    const { name, environment } = output;
    if (names.length > 0 && !names.includes(name)) continue;
    deleteStamp(name);
    const builderEnvironment = builder.environments[environment];
    if (builderEnvironment === undefined) throw new Error(`vite.config.ts has no environment "${environment}".`);
    await builder.build(builderEnvironment);
    writeStamp(output);
  }
} catch (error) {
  // The bundler's message points to the source, but its stack only points to the bundler.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

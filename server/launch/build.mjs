// Builds the named outputs of vite.config.ts: `node server/launch/build.mjs console server cli`; without names, all.
// A process of its own, so that the bundler's memory is gone before the server runs.
import process from 'node:process';
import { createBuilder } from 'vite';
import { outputs } from './prepare.mjs';
import { forget, remember } from './stamps.mjs';

const wanted = process.argv.slice(2);
const builder = await createBuilder({ logLevel: 'warn' });
try {
  for (const output of outputs) {
    const { name, environment } = output;
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    forget(name);
    const built = builder.environments[environment];
    if (built === undefined) throw new Error(`vite.config.ts has no environment "${environment}"`);
    await builder.build(built);
    remember(output);
  }
} catch (error) {
  // The bundler's message points at the source; its stack only at the bundler.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

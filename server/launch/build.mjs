// Builds the named outputs of vite.config.ts: `node server/launch/build.mjs console server cli`; without names, all.
// A process of its own, so that the bundler's memory is gone before the server runs.
import { createBuilder } from 'vite';
import { outputs } from './prepare.mjs';

const wanted = process.argv.slice(2);
const builder = await createBuilder({ logLevel: 'warn' });
for (const { name, environment } of outputs) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const built = builder.environments[environment];
  if (built === undefined) throw new Error(`vite.config.ts has no environment "${environment}"`);
  await builder.build(built);
}

// Runs a TypeScript program of the project, even in a clone where nothing is installed or built:
//
//     node server/launch/script.mjs [--build console,server] tests/bench/run.ts [its own arguments]
import { spawnSync } from 'node:child_process';
import process from 'node:process';

import { prepare } from './prepare.mjs';
import { inRoot } from './stamps.mjs';
import { StepError } from './steps.mjs';

const argv = process.argv.slice(2);
const outputs = argv[0] === '--build' ? (argv.splice(0, 2)[1] ?? '').split(',') : [];
const [program, ...args] = argv;
if (program === undefined) throw new Error('Specify the program to run.');
try {
  await prepare(outputs);
  const command = [inRoot('node_modules/tsx/dist/cli.mjs'), inRoot(program), ...args];
  process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1;
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}

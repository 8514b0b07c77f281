// Implements `npm run dev`. Runs the console on Vite's development server, which forwards RPCs to the server, and runs
// the server from its sources. Both reload on changes. Accepts the same options as npm start; `--port` sets the
// console's port.
import { spawn } from 'node:child_process';
import process from 'node:process';

import { parseOptions, UsageError } from '#server/base/options.mjs';

import { freePort } from './free-port.mjs';
import { prepare } from './prepare.mjs';
import { inRoot } from './stamps.mjs';
import { StepError } from './steps.mjs';

const args = process.argv.slice(2);
try {
  const { port, fresh } = parseOptions(args);
  // The server restarts whenever its sources change, and --fresh would wipe the data each time.
  if (fresh) throw new UsageError('npm run dev keeps its data. Choose another folder with --data instead of --fresh.');
  await prepare([]);
  const apiPort = String(await freePort());
  const children = [
    // The last --port overrides the one in `args`.
    run({}, 'tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'server/start/main.ts', ...args, '--port', apiPort),
    run({ QUARTERDECK_API: `http://127.0.0.1:${apiPort}` }, 'vite/bin/vite.js', '--port', String(port), '--strictPort'),
  ];
  let isStopping = false;
  // Send each child only one signal: tsx kills the server on the second, even while it's closing its database.
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    for (const child of children) child.kill('SIGTERM');
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  for (const child of children) child.once('exit', stop);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof StepError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof UsageError ? 2 : error.exitCode;
}

/**
 * Starts a program in a child process.
 *
 * @param {Record<string, string>} env
 * @param {string} entry
 * @param {string[]} args
 */
function run(env, entry, ...args) {
  return spawn(process.execPath, [inRoot(`node_modules/${entry}`), ...args], {
    cwd: inRoot('.'),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Run outside the terminal's process group, so Ctrl-C reaches the child only once, through this process.
    detached: process.platform !== 'win32',
  });
}

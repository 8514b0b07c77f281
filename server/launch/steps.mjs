// Runs one step in a child process, and shows its output only if it fails. Shows progress on the error stream, since a
// program may read the command line's own output.
import { spawn } from 'node:child_process';
import process from 'node:process';

import { inRoot } from './stamps.mjs';

/** Thrown if a step fails; the message contains its output. */
export class StepError extends Error {
  /** @param {string} message @param {number} exitCode */
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs a command as a step, and shows its title meanwhile.
 *
 * @param {string} title for example "Installing packages"
 * @param {readonly [string, ...string[]]} command program and arguments
 * @returns {Promise<void>}
 * @throws {StepError} if the command fails
 */
export async function step(title, [program, ...args]) {
  process.stderr.write(`  ${title} … `);
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: inRoot('.'),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
  });
  let output = '';
  child.stdout.on('data', (/** @type {Buffer} */ chunk) => (output += chunk.toString()));
  child.stderr.on('data', (/** @type {Buffer} */ chunk) => (output += chunk.toString()));
  // Ctrl-C in a terminal reaches the child as well; a plain `kill` reaches only us.
  let stoppedBy = /** @type {NodeJS.Signals | undefined} */ (undefined);
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    stoppedBy = signal;
    child.kill(signal);
    // npm would first finish its downloads. Its leftovers do not count as an installation.
    setTimeout(() => child.kill('SIGKILL'), 1000).unref();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  process.off('SIGINT', stop).off('SIGTERM', stop);
  if (stoppedBy !== undefined) throw new StepError('stopped', stoppedBy === 'SIGINT' ? 130 : 143);
  if (code !== 0) throw new StepError(`failed\n\n${output.trim()}\n\n${title} failed, see above.`, 1);
  process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

/**
 * Returns the command that runs npm: the npm that started this script, or npm on the path.
 *
 * @param {string[]} args
 * @returns {[string, ...string[]]}
 */
export function npm(...args) {
  const entry = process.env.npm_execpath;
  return entry?.endsWith('.js') ? [process.execPath, entry, ...args] : ['npm', ...args];
}

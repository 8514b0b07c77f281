// Runs one step in a child process and shows its output only if it fails. Writes progress to the error stream because
// programs may read the command line's own output.
import { spawn } from 'node:child_process';
import process from 'node:process';

import { inRoot } from './stamps.mjs';

/** Thrown if a step fails. The message contains the step's output. */
export class StepError extends Error {
  /** @param {string} message @param {number} exitCode */
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs a command as a step, showing the step's title meanwhile.
 *
 * @param {string} title for example "Installing packages"
 * @param {readonly [string, ...string[]]} command program and arguments
 * @returns {Promise<void>}
 * @throws StepError if the command fails
 */
export async function runStep(title, [program, ...args]) {
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
  // Ctrl-C in a terminal also reaches the child, but a plain `kill` only reaches this process.
  let stopSignal = /** @type {NodeJS.Signals | undefined} */ (undefined);
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    stopSignal = signal;
    child.kill(signal);
    // npm would finish its downloads first. An incomplete installation does not count as current.
    setTimeout(() => child.kill('SIGKILL'), 1000).unref();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  process.off('SIGINT', stop).off('SIGTERM', stop);
  if (stopSignal !== undefined) throw new StepError('stopped', stopSignal === 'SIGINT' ? 130 : 143);
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

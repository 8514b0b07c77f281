// Checks the settings of the server with its sources, so `npm start` can reject wrong ones before it builds.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

import { UsageError } from '#server/base/options.mjs';

import { inRoot } from './stamps.mjs';
import { StepError } from './steps.mjs';

/**
 * Checks the options and the environment. Needs the packages, but no generated code.
 *
 * @param {readonly string[]} args the options of npm start
 * @throws UsageError with a sentence for each wrong setting
 */
export function checkSettings(args) {
  const command = [inRoot('node_modules/tsx/dist/cli.mjs'), inRoot('server/start/check-settings.ts'), ...args];
  const { status, signal, stderr } = spawnSync(process.execPath, command, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status === 2) throw new UsageError(stderr.trim());
  if (signal === 'SIGINT' || signal === 'SIGTERM') throw new StepError('stopped', signal === 'SIGINT' ? 130 : 143);
  if (status !== 0) throw new StepError(`The settings couldn't be checked.\n\n${stderr.trim()}`, 1);
}

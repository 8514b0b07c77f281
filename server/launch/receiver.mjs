// Implements `npm run receiver`, which receives a webhook's deliveries and shows them. Works even in a clone where
// nothing is installed.
import { spawn } from 'node:child_process';
import process from 'node:process';

import { prepare } from './prepare.mjs';
import { inRoot } from './stamps.mjs';
import { StepError } from './steps.mjs';

try {
  await prepare([]);
  const receiver = ['node_modules/tsx/dist/cli.mjs', 'server/demo/receiver/receiver.ts'].map(inRoot);
  const child = spawn(process.execPath, [...receiver, ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C also reaches the receiver directly. This process ends after the receiver.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void child.kill('SIGTERM'));
  child.once('exit', (code) => void (process.exitCode = code ?? 0));
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}

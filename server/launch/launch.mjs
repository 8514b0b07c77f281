// Reads the options, prepares the clone if needed, and then runs the server in this process, so the server handles
// Ctrl-C and determines the exit code.
import process from 'node:process';
import { pathToFileURL } from 'node:url';

import { optionsHelp, parseOptions, UsageError } from '#server/base/options.mjs';

import { checkSettings } from './check-settings.mjs';
import { prepare } from './prepare.mjs';
import { inRoot } from './stamps.mjs';
import { StepError } from './steps.mjs';

try {
  const args = process.argv.slice(2);
  const { help } = parseOptions(args);
  if (help) {
    console.log(optionsHelp());
    process.exit(0);
  }
  await prepare(['console', 'server', 'cli'], { beforeBuild: () => checkSettings(args) });
} catch (error) {
  if (!(error instanceof UsageError || error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(error instanceof UsageError ? 2 : error.exitCode);
}

process.env.NODE_ENV ??= 'production';
process.setSourceMapsEnabled(true);
await import(pathToFileURL(inRoot('dist/server/main.js')).href);

// `tsx server/start/check-settings.ts [the options of npm start]`: checks the settings without starting the server, so
// `npm start` can reject wrong ones before it builds. Exits with code 2 and the sentences to show if one is wrong.
import process from 'node:process';

import { UsageError } from '#server/base/options.mjs';

import { readSettings } from './settings.ts';

try {
  readSettings(process.argv.slice(2), process.env);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

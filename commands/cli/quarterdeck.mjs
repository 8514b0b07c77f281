#!/usr/bin/env node
// The `quarterdeck` binary declared in package.json. Builds the command line if it is missing or its sources changed,
// then runs it: `npx quarterdeck devices 'health:ERROR'`.
import process from 'node:process';

import { prepare } from '#server/launch/prepare.mjs';
import { StepError } from '#server/launch/steps.mjs';

try {
  await prepare(['cli']);
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exit(error.exitCode);
}
process.setSourceMapsEnabled(true);
const { main } = await import(new URL('../../dist/cli/quarterdeck.js', import.meta.url).href);
process.exitCode = await main(process.argv.slice(2));

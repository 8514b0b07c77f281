// Prepares a clone for running: installs packages, generates code, and builds bundles. Skips anything that is up to
// date with its sources, so a second start has nothing to do.
import process from 'node:process';

import { packagesAreCurrent } from './packages.mjs';
import { deleteStamp, isCurrent, writeStamp } from './stamps.mjs';
import { npm, runStep } from './steps.mjs';

/** What preparing reads and changes on this machine. Tests replace it. */
const realMachine = { packagesAreCurrent, isCurrent, deleteStamp, writeStamp, runStep };

const sharedSources = ['proto', 'buf.gen.yaml', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];

const generatedCode = {
  name: 'proto',
  artifact: 'proto/gen',
  from: ['proto', 'buf.yaml', 'buf.gen.yaml', 'package-lock.json'],
};

/** The bundles; `environment` is a name in vite.config.ts. */
export const outputs = [
  {
    name: 'console',
    title: 'the console',
    environment: 'client',
    artifact: 'dist/console/index.html',
    from: [...sharedSources, '.env', '.env.local', 'index.html', 'src', 'commands'],
  },
  {
    name: 'server',
    title: 'the server',
    environment: 'server',
    artifact: 'dist/server/main.js',
    from: [...sharedSources, 'server', 'commands/text', 'commands/units'],
  },
  {
    name: 'cli',
    title: 'the command line',
    environment: 'cli',
    artifact: 'dist/cli/quarterdeck.js',
    from: [...sharedSources, 'package.json', 'commands'],
  },
];

/**
 * Installs packages, generates code, and builds outputs if they are out of date.
 *
 * @param {readonly string[]} names names of `outputs`; an empty list prepares only packages and generated code
 * @param {{ beforeBuild?: () => void, machine?: typeof realMachine }} [options] `beforeBuild` is called before anything
 *   is generated or built
 * @returns {Promise<void>}
 * @throws StepError if a step fails
 */
export async function prepare(names, { beforeBuild, machine = realMachine } = {}) {
  const { packagesAreCurrent, isCurrent, deleteStamp, writeStamp, runStep } = machine;
  if (!packagesAreCurrent()) {
    await runStep('Installing packages, about half a minute the first time', npm('ci', '--include=dev'));
  }
  const needsCode = !isCurrent(generatedCode);
  const staleOutputs = outputs.filter((output) => names.includes(output.name) && !isCurrent(output));
  if (needsCode || staleOutputs.length > 0) beforeBuild?.();
  if (needsCode) {
    deleteStamp(generatedCode.name);
    await runStep('Generating code from the contract', npm('run', 'generate'));
    writeStamp(generatedCode);
  }
  if (staleOutputs.length === 0) return;
  const titles = new Intl.ListFormat('en-GB').format(staleOutputs.map(({ title }) => title));
  const staleNames = staleOutputs.map(({ name }) => name);
  await runStep(`Building ${titles}`, [process.execPath, 'server/launch/build.mjs', ...staleNames]);
}

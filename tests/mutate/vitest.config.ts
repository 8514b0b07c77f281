import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

import base from '../../vitest.config.ts';
import type { ActiveMutant } from './runner.ts';

const globals = globalThis as { activeMutant?: ActiveMutant };

/** Isolates modules, so a mutant does not affect later runs. */
const isolate = (project: TestProjectConfiguration): TestProjectConfiguration =>
  typeof project === 'object' && 'test' in project ? { ...project, test: { ...project.test, isolate: true } } : project;

/** The repository's tests, with the current mutant in place of its file. */
export default defineConfig({
  ...base,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load: (id: string) => (id === globals.activeMutant?.path ? globals.activeMutant.code : undefined),
    },
  ],
  test: {
    ...base.test,
    projects: base.test?.projects?.map(isolate),
    // Threads start faster than processes. The runner limits the time of each file, based on a run without a mutant, so
    // these timeouts only prevent failures on a busy machine.
    pool: 'threads',
    bail: 1,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

import base from '../../vitest.config.ts';
import type { PlantedMutant } from './runner.ts';

const planted = globalThis as { plantedMutant?: PlantedMutant };

/** Isolates modules, so that no mutant affects a later run. */
const isolate = (project: TestProjectConfiguration): TestProjectConfiguration =>
  typeof project === 'object' && 'test' in project ? { ...project, test: { ...project.test, isolate: true } } : project;

/** The repository's tests, with the current mutant in place of its file. */
export default defineConfig({
  ...base,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      load: (id: string) => (id === planted.plantedMutant?.path ? planted.plantedMutant.code : undefined),
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

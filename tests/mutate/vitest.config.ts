import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

import base from '../../vitest.config.ts';
import type { PlantedMutant } from './runner.ts';

const planted = globalThis as { plantedMutant?: PlantedMutant };

/** Isolates modules: no mutant outlives its run. */
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
    // Threads start sooner than processes; only the runner's own process is killed. The runner limits the time of each
    // file by its time without a mutant; a busy machine must not fail a test.
    pool: 'threads',
    bail: 1,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

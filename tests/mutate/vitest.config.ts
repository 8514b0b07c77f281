import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import type { Planted } from './runner.ts';

const planted = globalThis as { plantedMutant?: Planted };

/** The repository's tests, with the mutant of the moment in place of its file. */
export default mergeConfig(
  base,
  defineConfig({
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: (id: string) => (id === planted.plantedMutant?.path ? planted.plantedMutant.code : undefined),
      },
    ],
    // Threads start sooner than processes; the runner's own process is what is killed. The run limits each file itself,
    // by what it takes without a mutant; a busy machine must not fail a test.
    test: { pool: 'threads', bail: 1, maxWorkers: 1, testTimeout: 300_000, hookTimeout: 300_000 },
  }),
);

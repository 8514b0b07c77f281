// A process that runs test files with one mutant after another. It is separate because a mutant can run forever.
import { join } from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';

import { createVitest } from 'vitest/node';

import { root } from './mutants.ts';

export interface ActiveMutant {
  readonly path: string;
  readonly code: string;
}

/** A test file, with or without a mutant. */
export interface RunRequest {
  readonly test: string;
  readonly mutant?: { file: string; code: string };
}

export interface Outcome {
  /** The first failed test or other problem; undefined if all passed. */
  readonly failure: string | undefined;
  readonly milliseconds: number;
}

const globals = globalThis as { activeMutant?: ActiveMutant };

const vitest = await createVitest('test', {
  root,
  config: join(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  reporters: [{}],
});

async function run({ test, mutant }: RunRequest): Promise<Outcome> {
  const path = mutant && join(root, mutant.file);
  const before = globals.activeMutant;
  globals.activeMutant = mutant && path !== undefined ? { path, code: mutant.code } : undefined;
  for (const file of new Set([before?.path, path])) if (file !== undefined) vitest.invalidateFile(file);
  const startedAt = performance.now();
  const moduleId = join(root, test);
  const project = vitest.projects.find((testProject) => testProject.matchesTestGlob(moduleId));
  if (project === undefined) throw new Error(`No Vitest project runs ${test}.`);
  // Vitest keeps the results of earlier runs. Their failures would count again and stop this run at its first test.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([project.createSpecification(moduleId)]);
  const failures = testModules.flatMap((module) => {
    const tests = [...module.children.allTests('failed')].map((testCase) => {
      const [error] = testCase.result().errors ?? [];
      return `${testCase.fullName}: ${error?.message ?? ''}`;
    });
    const otherErrors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
    return [
      ...tests,
      ...otherErrors.map((error) => error.message),
      ...(module.state() === 'passed' ? [] : [`${test} ${module.state()}`]),
    ];
  });
  // Errors from another process are plain objects.
  const unhandledMessages = unhandledErrors.map(
    (error) => (error as { message?: string } | undefined)?.message ?? inspect(error),
  );
  const [failure] = [...failures, ...unhandledMessages, ...(testModules.length === 0 ? [`${test} did not run.`] : [])];
  return { failure, milliseconds: performance.now() - startedAt };
}

process.on('message', (request: RunRequest) => {
  run(request).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

import process from 'node:process';

import type { Module } from './modules.ts';
import type { Mutant } from './mutants.ts';
import { Runner } from './pool.ts';
import { formatSurvivor } from './report.ts';
import { type Result, createResult, Results } from './results.ts';

export interface Job {
  readonly module: Module;
  readonly mutant: Mutant;
}

export interface Campaign {
  readonly workers: number;
  /** Discards the results of earlier runs. */
  readonly fresh: boolean;
  /** Retests known mutants and prints the test that kills each. */
  readonly showReasons: boolean;
  /** Names of the survivors that need no test. */
  readonly acceptedSurvivors: ReadonlySet<string>;
}

/** Thrown if a test fails on the unchanged code, so it reveals nothing about a mutant. */
export class TestFailedError extends Error {}

/**
 * Tests each mutant, in several processes at the same time.
 *
 * @throws TestFailedError
 */
export async function runAll(
  jobs: readonly Job[],
  { workers, fresh, showReasons, acceptedSurvivors }: Campaign,
): Promise<Result[]> {
  const results = new Results(fresh);
  const finishedResults: Result[] = [];
  const queue: Job[] = [];
  for (const job of jobs) {
    const stored = showReasons ? undefined : results.find(job.mutant, job.module);
    if (stored === undefined) queue.push(job);
    else finishedResults.push(stored);
  }
  console.log(`${jobs.length} mutants, ${finishedResults.length} of them known from earlier runs.`);

  const runners = Array.from({ length: Math.min(workers, Math.max(queue.length, 1)) }, () => new Runner());
  const closeAll = () => {
    for (const runner of runners) runner.close();
    results.save();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      closeAll();
      process.exit(1);
    });
  }

  const tester = new MutantTester();
  const total = queue.length;
  try {
    await Promise.all(
      runners.map(async (runner) => {
        for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
          const result = await tester.testMutant(runner, job);
          finishedResults.push(result);
          results.add(result);
          if (result.outcome === 'survived' && !acceptedSurvivors.has(result.name))
            console.log(`\n${formatSurvivor(result)}`);
          if (showReasons) console.log(`${result.outcome}: ${result.by ?? ''} ${result.failure ?? ''}`);
          if ((total - queue.length) % 20 === 0) {
            results.save();
            console.log(`${total - queue.length} of ${total}`);
          }
        }
      }),
    );
  } finally {
    closeAll();
  }
  return finishedResults;
}

/** Adapts the order of the tests to earlier results. */
class MutantTester {
  /** The milliseconds that each test file takes without a mutant, measured on first use. */
  private readonly durations = new Map<string, Promise<number>>();
  /** The measurements completed so far. */
  private readonly measuredDurations = new Map<string, number>();
  /** The number of mutants that each test killed, keyed by file and test. */
  private readonly kills = new Map<string, number>();

  async testMutant(runner: Runner, { module, mutant }: Job): Promise<Result> {
    const { file, code } = mutant;
    for (const test of module.tests.toSorted((a, b) => this.rank(file, b) - this.rank(file, a))) {
      const timeout = 60_000 + 5 * (await this.duration(runner, test));
      const outcome = await runner.run({ test, mutant: { file, code } }, timeout);
      if (outcome !== undefined && outcome.failure === undefined) continue;
      this.kills.set(`${file} ${test}`, (this.kills.get(`${file} ${test}`) ?? 0) + 1);
      return outcome === undefined
        ? createResult(mutant, module, { outcome: 'timeout', by: test })
        : createResult(mutant, module, { outcome: 'killed', by: test, failure: outcome.failure });
    }
    return createResult(mutant, module, { outcome: 'survived' });
  }

  /** Ranks tests that killed mutants of the file first, then fast tests; tests not measured yet come last. */
  private rank(file: string, test: string): number {
    const milliseconds = this.measuredDurations.get(test);
    return milliseconds === undefined ? 0 : ((this.kills.get(`${file} ${test}`) ?? 0) + 0.5) / (milliseconds + 100);
  }

  private duration(runner: Runner, test: string): Promise<number> {
    const duration = this.durations.get(test) ?? this.measure(runner, test);
    this.durations.set(test, duration);
    return duration;
  }

  private async measure(runner: Runner, test: string): Promise<number> {
    const outcome = await runner.run({ test }, 600_000);
    const failure = outcome === undefined ? 'it did not finish' : outcome.failure;
    if (failure !== undefined) throw new TestFailedError(`${test} fails without a mutant: ${failure}.`);
    const milliseconds = outcome?.milliseconds ?? 0;
    this.measuredDurations.set(test, milliseconds);
    return milliseconds;
  }
}

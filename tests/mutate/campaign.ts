import process from 'node:process';
import type { Module } from './modules.ts';
import type { Mutant } from './mutants.ts';
import { Runner } from './pool.ts';
import { shown } from './report.ts';
import { type Result, resultOf, Results } from './results.ts';

export interface Job {
  readonly module: Module;
  readonly mutant: Mutant;
}

export interface Campaign {
  readonly workers: number;
  /** Forgets what earlier runs found. */
  readonly fresh: boolean;
  /** Puts known mutants in again, and prints what notices each. */
  readonly explain: boolean;
  /** Names of the survivors that need no test. */
  readonly accepted: ReadonlySet<string>;
}

/** A test fails on the code as it is, so it tells nothing about a mutant. */
export class TestFails extends Error {}

/** Puts one mutant after another in. @throws TestFails */
export async function judgeAll(
  jobs: readonly Job[],
  { workers, fresh, explain, accepted }: Campaign,
): Promise<Result[]> {
  const results = new Results(fresh);
  const done: Result[] = [];
  const queue: Job[] = [];
  for (const job of jobs) {
    const known = explain ? undefined : results.of(job.mutant, job.module);
    if (known === undefined) queue.push(job);
    else done.push(known);
  }
  console.log(`${jobs.length} mutants, ${done.length} of them known from earlier runs.`);

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

  const judge = new Judge();
  const total = queue.length;
  try {
    await Promise.all(
      runners.map(async (runner) => {
        for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
          const result = await judge.of(runner, job);
          done.push(result);
          results.add(result);
          if (result.outcome === 'survived' && !accepted.has(result.name)) console.log(`\n${shown(result)}`);
          if (explain) console.log(`${result.outcome}: ${result.by ?? ''} ${result.failure ?? ''}`);
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
  return done;
}

/** Chooses the order of the tests by what it learns on the way. */
class Judge {
  /** Milliseconds that a test file takes without a mutant: measured when a mutant first comes to it. */
  private readonly durations = new Map<string, Promise<number>>();
  /** Those measured by now. */
  private readonly measured = new Map<string, number>();
  /** How many mutants of a file each test noticed. */
  private readonly kills = new Map<string, number>();

  async of(runner: Runner, { module, mutant }: Job): Promise<Result> {
    const { file, code } = mutant;
    for (const test of module.tests.toSorted((a, b) => this.promise(file, b) - this.promise(file, a))) {
      const most = 60_000 + 5 * (await this.duration(runner, test));
      const outcome = await runner.run({ test, mutant: { file, code } }, most);
      if (outcome !== undefined && outcome.failure === undefined) continue;
      this.kills.set(`${file} ${test}`, (this.kills.get(`${file} ${test}`) ?? 0) + 1);
      return outcome === undefined
        ? resultOf(mutant, module, { outcome: 'timeout', by: test })
        : resultOf(mutant, module, { outcome: 'killed', by: test, failure: outcome.failure });
    }
    return resultOf(mutant, module, { outcome: 'survived' });
  }

  /** Tests that noticed mutants of the file go first, as do the quick ones, and those measured yet. */
  private promise(file: string, test: string): number {
    const milliseconds = this.measured.get(test);
    return milliseconds === undefined ? 0 : ((this.kills.get(`${file} ${test}`) ?? 0) + 0.5) / (milliseconds + 100);
  }

  private duration(runner: Runner, test: string): Promise<number> {
    const known = this.durations.get(test) ?? this.measure(runner, test);
    this.durations.set(test, known);
    return known;
  }

  private async measure(runner: Runner, test: string): Promise<number> {
    const outcome = await runner.run({ test }, 600_000);
    const failure = outcome === undefined ? 'it did not end' : outcome.failure;
    if (failure !== undefined) throw new TestFails(`${test} fails without any mutant: ${failure}.`);
    const milliseconds = outcome?.milliseconds ?? 0;
    this.measured.set(test, milliseconds);
    return milliseconds;
  }
}

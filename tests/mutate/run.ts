// `npm run mutate`: puts one small bug after another into the code and asks whether a test notices.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Module, modules } from './modules.ts';
import { type Mutant, mutantsOf, nameOf } from './mutants.ts';
import { Runner } from './pool.ts';
import { shown, summary, type Survivor, wrongSurvivors } from './report.ts';
import { type Result, resultOf, Results } from './results.ts';
import { sampled } from './sample.ts';

const usage = `npm run mutate -- [options]
  --module NAME   only this module; may be given several times: ${modules.map(({ name }) => name).join(', ')}
  --file PATH     only mutants of this file; may be given several times
  --mutant NAME   only this mutant, and what notices it
  --sample N      N mutants of each module, chosen by --seed S (1 when left out)
  --workers N     processes side by side (2 when left out)
  --fresh         forgets what earlier runs found
  --list          prints the mutants and runs nothing`;

const fail = (message: string): never => {
  console.error(message);
  process.exit(2);
};

const options = (() => {
  try {
    return parseArgs({
      options: {
        module: { type: 'string', multiple: true },
        file: { type: 'string', multiple: true },
        mutant: { type: 'string' },
        sample: { type: 'string' },
        seed: { type: 'string', default: '1' },
        workers: { type: 'string', default: '2' },
        fresh: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`);
  }
})();
if (options.help) {
  console.log(usage);
  process.exit();
}

function whole(name: 'sample' | 'seed' | 'workers'): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fail(`--${name} takes a whole number from 1, not '${text}'.`);
}

interface Job {
  module: Module;
  mutant: Mutant;
}

const unknown = options.module?.find((name) => modules.every((module) => module.name !== name));
if (unknown !== undefined) fail(`There is no module '${unknown}'.\n\n${usage}`);
const wantedModules = modules.filter(({ name }) => options.module?.includes(name) ?? name !== 'fixture');

const every: Job[] = modules.flatMap((module) =>
  module.files.flatMap((file) => mutantsOf(file).map((mutant) => ({ module, mutant }))),
);
const sample = whole('sample');
const seed = whole('seed') ?? 1;
const jobs = wantedModules.flatMap((module) => {
  const own = every.filter(
    ({ module: { name }, mutant }) =>
      name === module.name &&
      (options.file?.includes(mutant.file) ?? true) &&
      (options.mutant === undefined || nameOf(mutant) === options.mutant),
  );
  return sample === undefined ? own : sampled(own, sample, seed);
});
if (jobs.length === 0) fail('There are no such mutants.');

const survivors = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Survivor[];
const accepted = new Set(survivors.map(nameOf));
const wrong = wrongSurvivors(survivors, every);

if (options.list) {
  for (const { mutant } of jobs) {
    console.log(shown({ ...mutant, name: nameOf(mutant) }));
  }
  console.log(`${jobs.length} mutants`);
  process.exit();
}

const results = new Results(options.fresh);
const done: Result[] = [];
const queue: Job[] = [];
for (const job of jobs) {
  const known = options.mutant === undefined ? results.of(job.mutant, job.module) : undefined;
  if (known === undefined) queue.push(job);
  else done.push(known);
}
console.log(`${jobs.length} mutants, ${done.length} of them known from earlier runs.`);

const runners = Array.from({ length: Math.min(whole('workers') ?? 2, Math.max(queue.length, 1)) }, () => new Runner());
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

/** Milliseconds that a test file takes without a mutant: measured when a mutant first comes to it. */
const durations = new Map<string, Promise<number>>();
/** Those measured by now. */
const measured = new Map<string, number>();
function duration(runner: Runner, test: string): Promise<number> {
  const known = durations.get(test) ?? measure(runner, test);
  durations.set(test, known);
  return known;
}

async function measure(runner: Runner, test: string): Promise<number> {
  const outcome = await runner.run({ test }, 600_000);
  const failure = outcome === undefined ? 'it did not end' : outcome.failure;
  if (failure !== undefined) {
    closeAll();
    fail(`${test} fails without any mutant: ${failure}.`);
  }
  const milliseconds = outcome?.milliseconds ?? 0;
  measured.set(test, milliseconds);
  return milliseconds;
}

/** How many mutants of a file each test noticed: those go first, as do the quick ones, and those measured yet. */
const kills = new Map<string, number>();
function promise(file: string, test: string): number {
  const milliseconds = measured.get(test);
  return milliseconds === undefined ? 0 : ((kills.get(`${file} ${test}`) ?? 0) + 0.5) / (milliseconds + 100);
}

async function judge(runner: Runner, { module, mutant }: Job): Promise<Result> {
  const { file, code } = mutant;
  for (const test of module.tests.toSorted((a, b) => promise(file, b) - promise(file, a))) {
    const most = 60_000 + 5 * (await duration(runner, test));
    const outcome = await runner.run({ test, mutant: { file, code } }, most);
    if (outcome !== undefined && outcome.failure === undefined) continue;
    kills.set(`${file} ${test}`, (kills.get(`${file} ${test}`) ?? 0) + 1);
    return outcome === undefined
      ? resultOf(mutant, module, { outcome: 'timeout', by: test })
      : resultOf(mutant, module, { outcome: 'killed', by: test, failure: outcome.failure });
  }
  return resultOf(mutant, module, { outcome: 'survived' });
}

const total = queue.length;
await Promise.all(
  runners.map(async (runner) => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const result = await judge(runner, job);
      done.push(result);
      results.add(result);
      if (result.outcome === 'survived' && !accepted.has(result.name)) console.log(`\n${shown(result)}`);
      if (options.mutant !== undefined) console.log(`${result.outcome}: ${result.by ?? ''} ${result.failure ?? ''}`);
      if ((total - queue.length) % 20 === 0) {
        results.save();
        console.log(`${total - queue.length} of ${total}`);
      }
    }
  }),
);
closeAll();

const needless = done.filter(({ outcome, name }) => outcome !== 'survived' && accepted.has(name));
for (const result of needless) console.log(`\nNoticed after all; take it off the list of survivors:\n${shown(result)}`);
for (const message of wrong) console.error(message);
const { text, enough } = summary(done, accepted);
console.log(`\n${text}`);
process.exitCode = enough && wrong.length === 0 ? 0 : 1;

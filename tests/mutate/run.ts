// `npm run mutate`: puts one small bug after another into the code and asks whether a test notices.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Job, judgeAll, TestFails } from './campaign.ts';
import { modules } from './modules.ts';
import { mutantsOf, nameOf } from './mutants.ts';
import { shown, summary, type Survivor, wrongSurvivors } from './report.ts';
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
function whole(name: 'sample' | 'seed' | 'workers'): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fail(`--${name} takes a whole number from 1, not '${text}'.`);
}

const every: Job[] = modules.flatMap((module) =>
  module.files.flatMap((file) => mutantsOf(file).map((mutant) => ({ module, mutant }))),
);

function chosen(): Job[] {
  const unknown = options.module?.find((name) => modules.every((module) => module.name !== name));
  if (unknown !== undefined) fail(`There is no module '${unknown}'.\n\n${usage}`);
  const sample = whole('sample');
  const seed = whole('seed') ?? 1;
  const jobs = modules
    .filter(({ name }) => options.module?.includes(name) ?? name !== 'fixture')
    .flatMap((module) => {
      const own = every.filter(
        ({ module: { name }, mutant }) =>
          name === module.name &&
          (options.file?.includes(mutant.file) ?? true) &&
          (options.mutant === undefined || nameOf(mutant) === options.mutant),
      );
      return sample === undefined ? own : sampled(own, sample, seed);
    });
  return jobs.length === 0 ? fail('There are no such mutants.') : jobs;
}

/** Ends by itself: `process.exit` would drop what a slow reader of the output has not taken yet. */
function list(): void {
  const jobs = chosen();
  for (const { mutant } of jobs) console.log(shown({ ...mutant, name: nameOf(mutant) }));
  console.log(`${jobs.length} mutants`);
}

async function run(): Promise<void> {
  const survivors = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Survivor[];
  const accepted = new Set(survivors.map(nameOf));
  const wrong = wrongSurvivors(survivors, every);
  const campaign = {
    workers: whole('workers') ?? 2,
    fresh: options.fresh,
    explain: options.mutant !== undefined,
    accepted,
  };
  const done = await judgeAll(chosen(), campaign).catch((error: unknown) => {
    return error instanceof TestFails ? fail(error.message) : Promise.reject(error);
  });
  for (const result of done.filter(({ outcome, name }) => outcome !== 'survived' && accepted.has(name))) {
    console.log(`\nNoticed after all; take it off the list of survivors:\n${shown(result)}`);
  }
  for (const message of wrong) console.error(message);
  const { text, enough } = summary(done, accepted);
  console.log(`\n${text}`);
  process.exitCode = enough && wrong.length === 0 ? 0 : 1;
}

if (options.help) console.log(usage);
else if (options.list) list();
else await run();

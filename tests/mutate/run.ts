// `npm run mutate`: injects one small bug at a time into the code and checks that a test fails.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { type Job, runAll, TestFailedError } from './campaign.ts';
import { modules } from './modules.ts';
import { createMutants, formatName } from './mutants.ts';
import { formatSurvivor, summarize, type Survivor, findSurvivorProblems } from './report.ts';
import { drawSample } from './sample.ts';

const usage = `npm run mutate -- [options]
  --module NAME   only this module (repeatable): ${modules.map(({ name }) => name).join(', ')}
  --file PATH     only mutants in this file (repeatable)
  --mutant NAME   only this mutant; prints the test that kills it
  --sample N      only N mutants from each module, drawn with --seed S (default 1)
  --workers N     parallel processes (default 2)
  --fresh         discards the results of earlier runs
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
function parseWholeNumber(name: 'sample' | 'seed' | 'workers'): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  return /^[1-9]\d{0,8}$/.test(text)
    ? Number(text)
    : fail(`--${name} must be a whole number of at least 1, not '${text}'.`);
}

const allJobs: Job[] = modules.flatMap((module) =>
  module.files.flatMap((file) => createMutants(file).map((mutant) => ({ module, mutant }))),
);

function selectJobs(): Job[] {
  const unknownModule = options.module?.find((name) => modules.every((module) => module.name !== name));
  if (unknownModule !== undefined) fail(`Unknown module: ${unknownModule}.\n\n${usage}`);
  const sample = parseWholeNumber('sample');
  const seed = parseWholeNumber('seed') ?? 1;
  const jobs = modules
    .filter(({ name }) => options.module?.includes(name) ?? name !== 'fixture')
    .flatMap((module) => {
      const matching = allJobs.filter(
        ({ module: { name }, mutant }) =>
          name === module.name &&
          (options.file?.includes(mutant.file) ?? true) &&
          (options.mutant === undefined || formatName(mutant) === options.mutant),
      );
      return sample === undefined ? matching : drawSample(matching, sample, seed);
    });
  return jobs.length === 0 ? fail('No mutant matches these options.') : jobs;
}

/** Prints the mutants. Does not call `process.exit`, which would discard output that a slow reader has not read yet. */
function list(): void {
  const jobs = selectJobs();
  for (const { mutant } of jobs) console.log(formatSurvivor({ ...mutant, name: formatName(mutant) }));
  console.log(`${jobs.length} mutants`);
}

async function run(): Promise<void> {
  const survivors = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Survivor[];
  const acceptedSurvivors = new Set(survivors.map(formatName));
  const problems = findSurvivorProblems(survivors, allJobs);
  const campaign = {
    workers: parseWholeNumber('workers') ?? 2,
    fresh: options.fresh,
    showReasons: options.mutant !== undefined,
    acceptedSurvivors,
  };
  const results = await runAll(selectJobs(), campaign).catch((error: unknown) => {
    return error instanceof TestFailedError ? fail(error.message) : Promise.reject(error);
  });
  for (const result of results.filter(({ outcome, name }) => outcome !== 'survived' && acceptedSurvivors.has(name))) {
    console.log(`\nA test now kills this mutant. Remove it from the list of survivors:\n${formatSurvivor(result)}`);
  }
  for (const message of problems) console.error(message);
  const { text, passed } = summarize(results, acceptedSurvivors);
  console.log(`\n${text}`);
  process.exitCode = passed && problems.length === 0 ? 0 : 1;
}

if (options.help) console.log(usage);
else if (options.list) list();
else await run();

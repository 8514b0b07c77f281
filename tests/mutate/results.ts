import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

import type { Module } from './modules.ts';
import { type Mutant, formatName, readSource, root } from './mutants.ts';

export interface Result {
  readonly name: string;
  readonly module: string;
  readonly file: string;
  readonly within: string;
  readonly operator: string;
  readonly line: number;
  readonly original: string;
  readonly mutated: string;
  readonly outcome: 'killed' | 'timeout' | 'survived';
  /** The test file that killed the mutant. */
  readonly by?: string;
  /** The failed test, or the error. */
  readonly failure?: string;
  /** The hash of everything that determines the outcome; see `computeBasis`. */
  readonly basis: string;
}

const path = process.env['QUARTERDECK_MUTATE_RESULTS'] ?? join(root, '.quarterdeck/mutate.json');

const hashStrings = (...strings: string[]): string =>
  createHash('sha256').update(strings.join('\0')).digest('hex').slice(0, 16);
const contents = new Map<string, string>();
function hashFile(file: string): string {
  const hash = contents.get(file) ?? hashStrings(readSource(file));
  contents.set(file, hash);
  return hash;
}

/**
 * The outcome of a killed mutant depends on the test that killed it; the outcome of a survivor depends on every test
 * for its module.
 */
function computeBasis(mutant: Mutant, module: Module, killer: string | undefined): string {
  const tests = killer === undefined ? module.tests : [killer];
  return hashStrings(hashFile(mutant.file), ...tests, ...tests.map(hashFile));
}

export const createResult = (
  mutant: Mutant,
  module: Module,
  verdict: Pick<Result, 'outcome' | 'by' | 'failure'>,
): Result => {
  const { file, within, operator, line, original, mutated } = mutant;
  const name = formatName(mutant);
  const { outcome, by, failure } = verdict;
  const description = { name, module: module.name, file, within, operator, line, original, mutated };
  return { ...description, outcome, by, failure, basis: computeBasis(mutant, module, by) };
};

/** The results of earlier runs. They are stored in the clone, so a run resumes where the previous one stopped. */
export class Results {
  private readonly stored = new Map<string, Result>();

  constructor(fresh: boolean) {
    if (fresh) return;
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    for (const result of JSON.parse(text) as Result[]) this.stored.set(result.name, result);
  }

  /** Returns the stored result of a mutant, if still valid. */
  find(mutant: Mutant, module: Module): Result | undefined {
    const result = this.stored.get(formatName(mutant));
    if (result === undefined || (result.by !== undefined && !module.tests.includes(result.by))) return undefined;
    return result.basis === computeBasis(mutant, module, result.by) ? { ...result, line: mutant.line } : undefined;
  }

  add(result: Result): void {
    this.stored.set(result.name, result);
  }

  save(): void {
    mkdirSync(dirname(path), { recursive: true });
    // Written atomically because a run can be stopped at any moment.
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify([...this.stored.values()], undefined, 1));
    renameSync(temporary, path);
  }
}

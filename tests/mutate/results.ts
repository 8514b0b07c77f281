import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { Module } from './modules.ts';
import { type Mutant, nameOf, read, root } from './mutants.ts';

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
  /** The test file that noticed it. */
  readonly by?: string;
  /** The test in it, or the error. */
  readonly failure?: string;
  /** Hash of everything that the outcome follows from: see `basis`. */
  readonly basis: string;
}

const path = process.env['QUARTERDECK_MUTATE_RESULTS'] ?? join(root, '.quarterdeck/mutate.json');

const hashed = (...texts: string[]): string => createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
const contents = new Map<string, string>();
function content(file: string): string {
  const known = contents.get(file) ?? hashed(read(file));
  contents.set(file, known);
  return known;
}

/** A mutant that a test noticed stays noticed by it; one that survived has to face every test that changed. */
function basis(mutant: Mutant, module: Module, by: string | undefined): string {
  const tests = by === undefined ? module.tests : [by];
  return hashed(content(mutant.file), ...tests, ...tests.map(content));
}

export const resultOf = (mutant: Mutant, module: Module, found: Pick<Result, 'outcome' | 'by' | 'failure'>): Result => {
  const { file, within, operator, line, original, mutated } = mutant;
  const name = nameOf(mutant);
  const { outcome, by, failure } = found;
  const described = { name, module: module.name, file, within, operator, line, original, mutated };
  return { ...described, outcome, by, failure, basis: basis(mutant, module, by) };
};

/** Results of earlier runs, kept in the clone so that a run goes on where the last one ended. */
export class Results {
  private readonly kept = new Map<string, Result>();

  constructor(fresh: boolean) {
    if (fresh) return;
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    for (const result of JSON.parse(text) as Result[]) this.kept.set(result.name, result);
  }

  /** What is known of a mutant and still holds. */
  of(mutant: Mutant, module: Module): Result | undefined {
    const result = this.kept.get(nameOf(mutant));
    if (result === undefined || (result.by !== undefined && !module.tests.includes(result.by))) return undefined;
    return result.basis === basis(mutant, module, result.by) ? { ...result, line: mutant.line } : undefined;
  }

  add(result: Result): void {
    this.kept.set(result.name, result);
  }

  save(): void {
    mkdirSync(dirname(path), { recursive: true });
    // Whole or not at all, as a run may be ended at any moment.
    const written = `${path}.${process.pid}`;
    writeFileSync(written, JSON.stringify([...this.kept.values()], undefined, 1));
    renameSync(written, path);
  }
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { modules } from './modules.ts';
import { type Mutant, createMutants, formatName, root } from './mutants.ts';
import { computeScore, summarize, type Survivor, findSurvivorProblems } from './report.ts';
import type { Result } from './results.ts';
import { drawSample } from './sample.ts';

const createMutations = (source: string): string[] => createMutants('a.ts', source).map((mutant) => mutant.mutated);

describe('mutants', () => {
  test.each<[string, string[]]>([
    ['and(eq(a, b), eq(c, d));', ['and(eq(c, d));', 'and(eq(a, b));', ';']],
    ['const x = db.where(eq(a, b));', ['const x = db.where(undefined);']],
    [
      'if (a < b) throw new Error(`${a && b}`);',
      ['if (false)', 'if (true)', 'if (a <= b)'].map((test) => `${test} throw new Error(\`\${a && b}\`);`),
    ],
    ['const x = a && !b;', ['const x = a;', 'const x = !b;', 'const x = a && b;']],
    ['const x = a ? b : c;', ['const x = b;', 'const x = c;']],
    ['const x = [a, b];', ['const x = [b];', 'const x = [a];']],
    [
      "const x = { A: ['READ'], B: ['WRITE'] };",
      [
        "const x = { A: ['READ', 'WRITE'], B: ['WRITE'] };",
        "const x = { A: [], B: ['WRITE'] };",
        "const x = { A: ['READ'], B: ['WRITE', 'READ'] };",
        "const x = { A: ['READ'], B: [] };",
      ],
    ],
    ['await leave();', [';']],
    ['log.info(a && b);', []],
    ['const x = a.toString();', []],
    ['const x = a?.include.length;', ['const x = a.include.length;', 'const x = a?.exclude.length;']],
    ['const x = y as readonly [1, true];', []],
    [
      'const x: number = 3 + 20;',
      ['const x: number = 4 + 20;', 'const x: number = 3 - 20;', 'const x: number = 3 + 40;'],
    ],
  ])('are created for %s', (source, expected) =>
    expect(createMutations(source).toSorted()).toEqual(expected.toSorted()),
  );

  test('remove or change one condition in an SQL statement', () => {
    const source =
      'const x = sql`select 1 from t where organization = ${id} and (a between 1 and 2 or b < ${f({})}) for update`;';
    const statements = createMutations(source).map((text) => text.slice('const x = sql`'.length, -2));
    expect(statements.toSorted()).toEqual(
      [
        'select 1 from t where true and (a between 1 and 2 or b < ${f({})}) for update',
        'select 1 from t where organization = ${id} and true for update',
        'select 1 from t where organization = ${id} and (a between 1 and 2 or false) for update',
        'select 1 from t where organization = ${id} and (a between 1 and 2 or b <= ${f({})}) for update',
        'select 1 from t where organization = ${id} and (a between 1 and 2 or b < ${f({})}) ',
      ].toSorted(),
    );
  });

  test('are identified by their code, not their line, and are unique in a file', () => {
    const line = 'const f = (a) => a < 1;\n';
    const names = (source: string) => createMutants('a.ts', source).map(formatName);
    expect(names(`// Above.\n\n${line}`)).toEqual(names(line));
    const mutantNames = names('const f = (a) => a.x < a.y && a.x < a.y;');
    expect(new Set(mutantNames).size).toBe(mutantNames.length);
  });
});

describe('the modules', () => {
  test('have files and tests, and do not share files', () => {
    const files = modules.flatMap((module) => module.files);
    expect(modules.filter((module) => module.files.length === 0 || module.tests.length === 0)).toEqual([]);
    expect(files.toSorted()).toEqual([...new Set(files)].toSorted());
  });
});

describe('the list of survivors', () => {
  test('has a reason for each survivor and lists no outdated survivors', () => {
    const survivors = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Survivor[];
    const files = new Set(survivors.map(({ file }) => file));
    const jobs = modules.flatMap((module) =>
      module.files
        .filter((file) => files.has(file))
        .flatMap((file) => createMutants(file).map((mutant) => ({ module, mutant }))),
    );
    expect(findSurvivorProblems(survivors, jobs)).toEqual([]);
  });
});

describe('the report', () => {
  const mutant = { file: 'a.ts', within: 'f', original: 'a', mutated: 'b' };
  const result = (name: string, outcome: Result['outcome'], module = 'm'): Result => ({
    ...mutant,
    name,
    module,
    outcome,
    operator: 'never',
    line: 1,
    basis: '',
  });

  test('requires 90% in every module, not counting accepted survivors', () => {
    const nine = Array.from({ length: 9 }, (_, index) => result(String(index), index < 2 ? 'timeout' : 'killed'));
    expect(summarize([...nine, result('x', 'survived')], new Set()).passed).toBe(true);
    const belowTarget = [...nine, result('x', 'survived'), result('y', 'survived')];
    expect(summarize(belowTarget, new Set()).passed).toBe(false);
    expect(summarize(belowTarget, new Set(['y'])).passed).toBe(true);
    expect(computeScore('m', belowTarget, new Set(['y']))).toMatchObject({
      killed: 7,
      timeout: 2,
      accepted: 1,
      survived: 1,
    });
    expect(summarize([...nine, ...nine, result('x', 'survived', 'other')], new Set()).passed).toBe(false);
  });

  test('requires each listed survivor to exist and to have a reason', () => {
    const jobs = [{ module: modules[0]!, mutant: mutant as Mutant }];
    expect(findSurvivorProblems([{ ...mutant, reason: 'The same.' }], jobs)).toEqual([]);
    expect(findSurvivorProblems([{ ...mutant, reason: ' ' }], jobs)).toEqual([
      'The survivor has no reason: a.ts in f: b',
    ]);
    expect(findSurvivorProblems([{ ...mutant, mutated: 'c', reason: 'The same.' }], jobs)).toEqual([
      'The survivor matches no mutant: a.ts in f: c',
    ]);
  });

  test('draws the same sample for the same seed', () => {
    const items = Array.from({ length: 100 }, (_, index) => index);
    expect(drawSample(items, 5, 7)).toEqual(drawSample(items, 5, 7));
    expect(drawSample(items, 5, 7)).not.toEqual(drawSample(items, 5, 8));
    expect(drawSample(items, 500, 7)).toEqual(items);
  });
});

test('prints the mutants that survive, but not the mutants that a test kills', async () => {
  const args = ['--import', 'tsx', 'tests/mutate/run.ts', '--module', 'fixture', '--workers', '1', '--fresh'];
  const env = { ...process.env, QUARTERDECK_MUTATE_RESULTS: join(root, '.quarterdeck/mutate-fixture.json') };
  const run = promisify(execFile)(process.execPath, args, { cwd: root, env });
  const { code, stdout } = await run.then(
    () => Promise.reject(new Error('The run did not fail.')),
    (error: { code: number; stdout: string }) => error,
  );
  expect(code, stdout).toBe(1);
  expect(stdout).toContain('limit.ts:3 in isAllowed: never');
  expect(stdout).toContain('- if (count < 0) return false;\n  + if (false) return false;');
  expect(stdout).not.toContain('return count < limit;');
  expect(stdout).toMatch(/^fixture +2 +0 +0 +4 +33\.3%/m);
});

import { expect, test } from 'vitest';

import type { Change, Plan } from '#commands/model/plan.ts';
import { message } from '#commands/text/message.ts';

import { sampleChange as change, samplePlan as plan } from './testkit/plan.ts';
import { createPrinter } from './testkit/printer.ts';

const organization = { id: 'acme', name: 'Acme', features: new Set<string>(), awayFromHome: false };

test('replaces control characters in all parts of a plan', () => {
  const unsafe = '\u001b[31mred\u202e';
  const repeated = Array.from({ length: 30 }, (_, index) => ({
    ...change,
    label: `Dial ${index}`,
    before: unsafe,
    after: 'b',
  }));
  const changesOf = (changes: readonly Change[]): string => {
    const lines: string[] = [];
    const { printer } = createPrinter();
    printer.plan({ ...plan, changes, sample: `${unsafe}\nnext` }, organization, (text) => lines.push(text));
    return lines.join('');
  };
  for (const changes of [repeated, repeated.slice(0, 2)]) {
    expect(changesOf(changes)).toContain('\ufffd[31mred\ufffd');
    expect(changesOf(changes)).toContain('\ufffd[31mred\ufffd\nnext\n');
    expect(changesOf(changes)).not.toContain('\u001b');
    expect(changesOf(changes)).not.toContain('\u202e');
  }
});

test('a plan shows its organization, up to 20 changes, its notes, and whether it can be undone', () => {
  const text = (partial: Partial<Plan>, awayFromHome = false) => {
    const output: string[] = [];
    createPrinter().printer.plan({ ...plan, ...partial }, { ...organization, awayFromHome }, (value) =>
      output.push(value),
    );
    return output.join('').split('\n');
  };
  const [first, head, row, note, last] = text({});
  expect(first).toBe('x:sum core:cli.plan.in name=Acme id=acme');
  expect(head?.split(/ {2,}/)).toEqual(['item', 'field', 'before', 'after'].map((id) => `core:cli.plan.${id}`));
  expect(row?.split(/ {2,}/)).toEqual(['North', 'core:fieldLabel field=x:field', 'core:cli.plan.empty', 'on']);
  expect([note, last]).toEqual(['x:n', 'core:cli.plan.reversible']);
  expect(text({ staged: true })).toContain('common:plan.staged first=1 second=10 percent=5');
  expect(text({}, true)[0]).toBe('x:sum core:cli.plan.acting name=Acme id=acme');
  expect(text({ personal: true })[0]).toBe('x:sum');
  expect(text({ changes: [], notes: [], reversible: false }).slice(1)).toEqual(['core:cli.plan.irreversible', '']);
  expect(text({ changes: Array.from({ length: 20 }, () => change) }).join()).not.toContain('plan.more');
  const differentChanges = Array.from({ length: 22 }, (_, index) => ({
    ...change,
    before: `${index}`,
    after: undefined,
  }));
  const manyLines = text({ changes: differentChanges, notes: undefined });
  expect([manyLines.length, manyLines.at(-3)]).toEqual([25, 'core:cli.plan.more count=2']);
  expect(manyLines[2]?.split(/ {2,}/).slice(2)).toEqual(['0', 'core:cli.plan.empty']);
});

test('lists the changed lines of a text, each in its own row', () => {
  const output: string[] = [];
  const lines = {
    shown: [
      { line: 5, part: 'raw', before: 'type: u2', after: 'type: u4' },
      { line: 7, after: '# on' },
    ],
    moreCount: 4,
  };
  const changes = [{ ...change, added: ['type: u4', '# on'], removed: ['type: u2'], lines }];
  createPrinter().printer.plan({ ...plan, changes, notes: [] }, organization, (text) => output.push(text));
  const field = 'core:fieldLabel field=x:field';
  expect(
    output
      .join('')
      .split('\n')
      .slice(2, 5)
      .map((row) => row.split(/ {2,}/)),
  ).toEqual([
    ['North', `${field}, core:changedLineOf line=5 part=raw`, 'type: u2', 'type: u4'],
    ['North', `${field}, core:changedLine line=7`, 'core:cli.plan.empty', '# on'],
    ['North', `${field}, core:cli.plan.more count=4`, 'core:cli.plan.empty', 'core:cli.plan.empty'],
  ]);
});

test('groups many similar changes by value, with a count for each', () => {
  const output: string[] = [];
  const repeat = (count: number, overrides: Partial<Change>) =>
    Array.from({ length: count }, () => ({ ...change, ...overrides }));
  const values = [...repeat(15, { before: 'off' }), ...repeat(7, { after: undefined, before: message('x:idle') })];
  const lists = repeat(22, {
    field: message('x:tags'),
    before: undefined,
    after: undefined,
    added: ['a', 'b'],
    removed: ['c'],
  });
  const bulkPlan = { ...plan, changes: [...values, ...lists], notes: [] };
  createPrinter().printer.plan(bulkPlan, organization, (text) => output.push(text));
  expect(output.join('').split('\n').slice(1, -2)).toEqual([
    'core:fieldLabel field=x:field: core:count count=15 off → on · core:count count=7 x:idle → core:cli.plan.empty',
    'core:fieldLabel field=x:tags: core:count count=22 − c + a, + b',
  ]);
  // Changes to a few items are listed individually.
  const shortOutput: string[] = [];
  createPrinter().printer.plan({ ...bulkPlan, changes: lists.slice(0, 1) }, organization, (text) =>
    shortOutput.push(text),
  );
  expect(shortOutput.join('').split('\n')[2]?.split(/ {2,}/)).toEqual([
    'North',
    'core:fieldLabel field=x:tags',
    '− c',
    '+ a, + b',
  ]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Filter, Term, Test } from '#commands/model/filter.ts';
import { gadget } from '#commands/testkit/gadget.ts';

import { parseFilter } from './parse.ts';
import { createPattern } from './patterns.ts';
import { canonicalFilter, printFilter } from './print.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' });
const words = fc.oneof(
  text,
  fc.constantFrom('*', '-x', 'a:b', 'health>2', '@selection', '..', 'a..b', '1.', '"', '\\', 'a*b', '(x', 'x)', '(x)'),
  fc.constantFrom('OR', 'and', 'Not', 'ago', '||', '!x', 'state=OK', '>= 2', 'days', '20:00', 'last', 'month', 'seen'),
);
const age = fc.constantFrom('2d', '1h15m', 'now', '-10h', '2026-01-31', '2026-01-31 20:00', 'last month');
const volts = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => String(number === 0 ? 0 : number));

function values(arbitrary: fc.Arbitrary<string>): fc.Arbitrary<Test> {
  return fc.array(arbitrary, { minLength: 1, maxLength: 4 }).map((list) => ({ values: list }));
}

/** Generates values and patterns. Each pattern has a star and some text. */
function patterns(arbitrary: fc.Arbitrary<string>): fc.Arbitrary<Test> {
  const part = fc.oneof(arbitrary, fc.constant(''));
  const pattern = fc
    .array(part, { minLength: 2, maxLength: 4 })
    .filter((parts) => parts.some((value) => value !== ''))
    .map(createPattern);
  return fc
    .tuple(fc.array(arbitrary, { maxLength: 2 }), fc.array(pattern, { minLength: 1, maxLength: 2 }))
    .map(([list, patternList]) => ({ values: list, patterns: patternList }));
}

function bounds(arbitrary: fc.Arbitrary<string>): fc.Arbitrary<Test> {
  return fc.oneof(
    arbitrary.map((above) => ({ above })),
    arbitrary.map((below) => ({ below })),
    fc.tuple(arbitrary, arbitrary).map(([above, below]) => ({ above, below })),
  );
}

function term(key: string, canNegate: boolean, test: fc.Arbitrary<Test>): fc.Arbitrary<Term> {
  return fc.record({ key: fc.constant(key), negated: canNegate ? fc.boolean() : fc.constant(false), test });
}

const filters: fc.Arbitrary<Filter> = fc
  .record({
    terms: fc.array(
      fc.oneof(
        term('state', true, values(fc.constantFrom('OK', 'ERROR', 'NOT_SEEN'))),
        term('tag', true, fc.oneof(values(words), fc.constant({ present: true as const }))),
        term('firmware', false, fc.oneof(values(words), patterns(words))),
        term('seen', false, fc.oneof(values(age), bounds(age))),
        term('volts', true, fc.oneof(values(volts), bounds(volts))),
        term('online', false, values(fc.constantFrom('true', 'false'))),
        term('view', false, values(fc.constant('broken'))),
      ),
      { maxLength: 6 },
    ),
    words: fc.array(words, { maxLength: 3 }),
    sort: fc.uniqueArray(fc.constantFrom('name', '-inactivity'), { maxLength: 2 }),
    group: fc.option(fc.constant('state'), { nil: undefined }),
  })
  .map(({ group, ...filter }) => canonicalFilter(group === undefined ? filter : { ...filter, group }));

test('parses a printed filter to the same filter without problems', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const parsed = parseFilter(printFilter(filter), gadget);
      expect(parsed.problems).toEqual([]);
      expect(parsed.filter).toEqual(filter);
    }),
  );
});

test('parses any text without throwing and prints it canonically', () => {
  const pieces = fc.constantFrom(
    'state',
    'seen',
    'tag',
    ':',
    '>',
    '<',
    '-',
    '..',
    ',',
    '"',
    '\\',
    ' ',
    '*',
    'ERROR',
    '2d',
    'sort',
    'group',
    '(',
    ')',
    '!=',
    '>=',
    '=',
    ' OR ',
    ' AND ',
    'NOT ',
    '!',
    ' days',
    ' ago',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }), (parts) => {
      const { filter, problems } = parseFilter(parts.join(''), gadget);
      const printedFilter = printFilter(filter);
      expect(printFilter(parseFilter(printedFilter, gadget).filter)).toBe(printedFilter);
      expect(problems.every((problem) => problem.from < problem.to && problem.to <= parts.join('').length)).toBe(true);
    }),
  );
});

import { expect, test } from 'vitest';

import type { ComparedMessage, Comparison } from '#commands/nouns/data/parser/bench/comparison.ts';
import { countVerdicts, type Verdict } from '#commands/nouns/data/parser/bench/difference.ts';

import { nextDifference, nextVerdict, shownRows } from './stored-rows.ts';

const verdicts: readonly Verdict[] = ['same', 'changed', 'same', 'nowFails'];
const rows = verdicts.map((verdict, id) => ({ id: `${id}`, difference: { verdict } }) as unknown as ComparedMessage);

test.each([
  [undefined, 1, '1'],
  ['0', 1, '1'],
  ['1', 1, '3'],
  ['3', 1, undefined],
  ['3', -1, '1'],
  ['1', -1, undefined],
  [undefined, -1, undefined],
] as const)('from %s in direction %i, the next message with another result is %s', (active, direction, expected) => {
  expect(nextDifference(rows, active, direction)?.id).toBe(expected);
});

test('in a new parser, only failures are worth a stop', () => {
  const [works, fails] = (['works', 'fails'] as const).map((verdict, id) => ({ id: `${id}`, difference: { verdict } }));
  const newRows = [works, fails] as unknown as readonly ComparedMessage[];
  expect(nextDifference(newRows, undefined, 1)?.id).toBe('1');
});

test('stops at every message of a list with only expected results', () => {
  const same = rows.filter(({ difference }) => difference.verdict === 'same');
  expect(nextDifference(same, '0', 1)?.id).toBe('2');
});

const compared = (...runs: readonly (readonly [Verdict, number])[]): Comparison => {
  const results = runs.flatMap(([verdict, count]) => Array.from({ length: count }, () => verdict));
  const messages = results.map((verdict, id) => ({ id: `${id}`, difference: { verdict } }));
  return { counts: countVerdicts(results), verdicts: results, rows: messages as unknown as ComparedMessage[] };
};
const shownCounts = (comparison: Comparison, verdict?: Verdict) =>
  countVerdicts(shownRows(comparison, verdict).map(({ difference }) => difference.verdict));

test('lists messages of every result, however many fail', () => {
  const comparison = compared(['nowFails', 500], ['changed', 500], ['nowWorks', 40], ['same', 5]);
  expect(shownCounts(comparison)).toMatchObject({ nowFails: 127, changed: 128, nowWorks: 40, same: 5 });
});

test('lists only the messages with the chosen result', () => {
  const comparison = compared(['nowFails', 500], ['nowWorks', 40]);
  expect(shownCounts(comparison, 'nowWorks')).toMatchObject({ nowFails: 0, nowWorks: 40 });
});

test('goes through the results that messages have, and then lists all messages', () => {
  const comparison = compared(['nowFails', 1], ['same', 2]);
  expect(nextVerdict(comparison, undefined)).toBe('nowFails');
  expect(nextVerdict(comparison, 'nowFails')).toBe('same');
  expect(nextVerdict(comparison, 'same')).toBeUndefined();
});

import { expect, test } from 'vitest';

import type { ComparedMessage } from '#commands/nouns/data/parser/bench/comparison.ts';
import type { Verdict } from '#commands/nouns/data/parser/bench/difference.ts';

import { nextDifference } from './stored-rows.ts';

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

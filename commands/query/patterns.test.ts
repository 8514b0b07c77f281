import { expect, test } from 'vitest';

import { matchesPattern } from './patterns.ts';

test.each([
  ['a*', 'abc', true],
  ['a*', 'bac', false],
  ['*c', 'abc', true],
  ['*c', 'cab', false],
  ['*a*', 'abc', true],
  ['*b*', 'abc', true],
  ['*d*', 'abc', false],
  ['a*c*e', 'abcde', true],
  ['a*d*c*e', 'abcde', false],
  ['a*c*c*e', 'abcde', false],
  // Parts of a pattern don't overlap in the value.
  ['a*a', 'a', false],
  ['ab*bc', 'abc', false],
  ['ab*bc', 'abbc', true],
  ['a*b*b', 'ab', false],
  ['lo-ra*1', 'LoRa 1', false],
  ['lo-ra*1', 'LO RA_1', true],
])('%s matches %s: %s', (pattern, value, expected) => {
  expect(matchesPattern(pattern.split('*'), value)).toBe(expected);
});

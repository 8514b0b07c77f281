import { expect, it } from 'vitest';

import { commonPasswords } from './common-passwords.ts';
import { FILL, LEVELS, strengthOf } from './strength.ts';

// Spec 5: points for the mix of characters and for the length, at most 4; the level is named after their sum.
it.each([
  ['', 'risky', 'nothing'],
  ['aB1!', 'risky', '4 characters score nothing, whatever they are'],
  ['aB1!e', 'safe', 'digits, mixed case and a special character from 5 characters on'],
  ['ahoyx', 'risky', 'no mix, no length'],
  ['12345', 'risky', 'digits alone'],
  ['!!!!!', 'risky', 'special characters alone'],
  ['ahoy1', 'guessable', 'letters with digits'],
  ['ahoyX', 'guessable', 'mixed case'],
  ['ahoy!', 'guessable', 'a special character with letters'],
  ['1234!', 'guessable', 'a special character with digits'],
  ['äöüßÉ', 'guessable', 'letters of every language'],
  ['ahoycrew', 'risky', '8 characters give nothing for length'],
  ['ahoycrewx', 'guessable', 'above 8 gives 1'],
  ['ahoycrewxyzw', 'guessable', '12 still gives 1'],
  ['ahoycrewxyzwv', 'weak', 'above 12 gives 2'],
  ['ahoycrewxaaaa', 'weak', 'a run of 4 is none'],
  ['ahoycrewaaaaa', 'guessable', 'a run of 5 keeps it at 1'],
  ['ahoycrewahoycrewahoy', 'weak', '20 still gives 2'],
  ['ahoycrewahoycrewahoyc', 'safe', 'above 20 gives 3'],
  ['aaaaaaaaaaaaaaaaaaaaa', 'guessable', '21 times one letter is a run'],
  ['Ahoy-crew-1', 'secure', 'all of the mix and above 8'],
  ['Ahoy-crew-1-of-the-Pequod', 'secure', 'more than 4 points are 4'],
  ['👍👍👍👍', 'risky', 'a character is what people take for one'],
  ['qwerty123456', 'risky', 'common, though long'],
  ['Password1!', 'risky', 'common in any case'],
])('%s is %s: %s', (password, level) => {
  expect(strengthOf(password, commonPasswords)).toBe(level);
});

it('fills the bar by the level', () => {
  expect(LEVELS.map((level) => FILL[level])).toEqual([10, 32.5, 55, 77.5, 100]);
});

it('keeps the common passwords as they are compared', () => {
  expect([...commonPasswords].filter((value) => value !== value.toLowerCase() || /\s/.test(value))).toEqual([]);
  expect(commonPasswords.size).toBeGreaterThan(800);
});

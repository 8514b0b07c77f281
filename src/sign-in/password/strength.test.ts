import { expect, test } from 'vitest';

import { commonPasswords } from './common-passwords.ts';
import { FILL_PERCENT, LEVELS, passwordStrength } from './strength.ts';

// Character mix and length score points. Their sum, at most 4, determines the level (spec 5).
test.each([
  ['', 'risky', 'empty'],
  ['aB1!', 'risky', '4 characters score 0 in any mix'],
  ['aB1!e', 'safe', '5 characters with digits, mixed case, and a special character'],
  ['ahoyx', 'risky', 'only lowercase letters'],
  ['12345', 'risky', 'only digits'],
  ['!!!!!', 'risky', 'only special characters'],
  ['ahoy1', 'guessable', 'letters with digits'],
  ['ahoyX', 'guessable', 'mixed case'],
  ['ahoy!', 'guessable', 'a special character with letters'],
  ['1234!', 'guessable', 'a special character with digits'],
  ['äöüßÉ', 'guessable', 'mixed case in any language'],
  ['ahoycrew', 'risky', '8 characters score 0 for length'],
  ['ahoycrewx', 'guessable', '9 characters score 1 for length'],
  ['ahoycrewxyzw', 'guessable', '12 characters score 1 for length'],
  ['ahoycrewxyzwv', 'weak', '13 characters score 2 for length'],
  ['ahoycrewxaaaa', 'weak', 'a repetition of 4 costs nothing'],
  ['ahoycrewaaaaa', 'guessable', 'a repetition of 5 limits the length score to 1'],
  ['ahoycrewahoycrewahoy', 'weak', '20 characters score 2 for length'],
  ['ahoycrewahoycrewahoyc', 'safe', '21 characters score 3 for length'],
  ['aaaaaaaaaaaaaaaaaaaaa', 'guessable', 'one letter 21 times scores 1 for length'],
  ['Ahoy-crew-1', 'secure', 'a full mix and 11 characters'],
  ['Ahoy-crew-1-of-the-Pequod', 'secure', 'a sum above 4 counts as 4'],
  ['👍👍👍👍', 'risky', 'an emoji counts as one character'],
  ['qwerty123456', 'risky', 'a long common password'],
  ['Password1!', 'risky', 'a common password in mixed case'],
])('%s is %s: %s', (password, level) => {
  expect(passwordStrength(password, commonPasswords)).toBe(level);
});

test('fills a percentage of the bar at each level', () => {
  expect(LEVELS.map((level) => FILL_PERCENT[level])).toEqual([10, 32.5, 55, 77.5, 100]);
});

test('lists common passwords in lowercase and without spaces', () => {
  expect([...commonPasswords].filter((value) => value !== value.toLowerCase() || /\s/.test(value))).toEqual([]);
  expect(commonPasswords.size).toBeGreaterThan(800);
});

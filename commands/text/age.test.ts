import { expect, test } from 'vitest';

import { formatAge, formatAgeInText } from './age.ts';

test.each([
  [30 * 3_600_000 + 58 * 60_000, '30 h 58 m'],
  [12 * 3_600_000 + 4 * 60_000, '12 h 04 m'],
  [58 * 60_000, '58 m'],
  [59_999, '59 s'],
  [60_000, '1 m'],
  [-5, '0 s'],
  [100 * 3_600_000 + 30 * 60_000, '100 h'],
])('formats %d ms as %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});

test.each([
  [58 * 60_000, '58 m'],
  [99 * 3_600_000, '99 h 00 m'],
  [100 * 3_600_000, '4 d'],
  [7952 * 3_600_000, '331 d'],
])('formats %d ms in a text as %s', (ms, text) => {
  expect(formatAgeInText(ms)).toBe(text);
});

import { expect, it } from 'vitest';

import type { PasswordPolicy } from '#src/auth/account.ts';
import { newPassword, rulesOf } from './policy.ts';

const strict: PasswordPolicy = {
  minLength: 8,
  maxLength: 12,
  lowercase: true,
  uppercase: true,
  numeric: true,
  nonAlphanumeric: true,
};
const none: PasswordPolicy = {
  minLength: 0,
  maxLength: undefined,
  lowercase: false,
  uppercase: false,
  numeric: false,
  nonAlphanumeric: false,
};

const unmet = (password: string) =>
  rulesOf(strict, password)
    .filter(({ met }) => !met)
    .map(({ id }) => id);

it.each([
  ['', ['minLength', 'lowercase', 'uppercase', 'numeric', 'nonAlphanumeric']],
  ['Ahoy-12', ['minLength']],
  ['Ahoy-123', []],
  ['Ahoy-1234567', []],
  ['Ahoy-12345678', ['maxLength']],
  ['ahoy-123', ['uppercase']],
  ['AHOY-123', ['lowercase']],
  ['Ahoy-abc', ['numeric']],
  ['Ahoyy123', ['nonAlphanumeric']],
])('%s misses %j', (password, missed) => {
  expect(unmet(password)).toEqual(missed);
});

it('has no rules where the installation has none', () => {
  expect(rulesOf(none, 'x')).toEqual([]);
});

it('takes a new password that meets all, and says why it does not take another', () => {
  expect(newPassword('Ahoy-123', strict)).toBeUndefined();
  expect(newPassword('Ahoy', strict)?.key).toBe('login:policyUnmet');
  expect(newPassword('', strict)?.key).toBe('login:required');
  expect(newPassword('Ahoy', undefined)).toBeUndefined();
});

import { expect, test } from 'vitest';

import type { PasswordPolicy } from '#src/auth/account.ts';

import { checkNewPassword, checkRules } from './policy.ts';

const strictPolicy: PasswordPolicy = {
  minLength: 8,
  maxLength: 12,
  lowercase: true,
  uppercase: true,
  numeric: true,
  nonAlphanumeric: true,
};
const emptyPolicy: PasswordPolicy = {
  minLength: 0,
  maxLength: undefined,
  lowercase: false,
  uppercase: false,
  numeric: false,
  nonAlphanumeric: false,
};

const unmetRules = (password: string) =>
  checkRules(strictPolicy, password)
    .filter(({ isMet }) => !isMet)
    .map(({ id }) => id);

test.each([
  ['', ['minLength', 'lowercase', 'uppercase', 'numeric', 'nonAlphanumeric']],
  ['Ahoy-12', ['minLength']],
  ['Ahoy-123', []],
  ['Ahoy-1234567', []],
  ['Ahoy-12345678', ['maxLength']],
  ['ahoy-123', ['uppercase']],
  ['AHOY-123', ['lowercase']],
  ['Ahoy-abc', ['numeric']],
  ['Ahoyy123', ['nonAlphanumeric']],
])('%s misses %j', (password, missedRules) => {
  expect(unmetRules(password)).toEqual(missedRules);
});

test('has no rules if the policy has none', () => {
  expect(checkRules(emptyPolicy, 'x')).toEqual([]);
});

test('accepts a password that meets the policy and explains a rejection', () => {
  expect(checkNewPassword('Ahoy-123', strictPolicy)).toBeUndefined();
  expect(checkNewPassword('Ahoy', strictPolicy)?.key).toBe('login:policyUnmet');
  expect(checkNewPassword('', strictPolicy)?.key).toBe('login:required');
  expect(checkNewPassword('Ahoy', undefined)).toBeUndefined();
});

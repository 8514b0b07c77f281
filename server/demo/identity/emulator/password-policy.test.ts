import { describe, expect, test } from 'vitest';

import { demoPeople } from '#server/demo/seed/people.ts';
import { randomPassword } from '#server/identity/accounts.ts';

import { missingRequirements } from './password-policy.ts';

describe('the password policy', () => {
  test('lists every requirement that a password fails', () => {
    expect(missingRequirements('short')).toEqual([
      'Password must contain at least 8 characters',
      'Password must contain an upper case character',
      'Password must contain a numeric character',
      'Password must contain a non-alphanumeric character',
    ]);
    expect(missingRequirements('UPPERCASE-1')).toEqual(['Password must contain a lower case character']);
    expect(missingRequirements(`aA1-${'x'.repeat(4093)}`)).toEqual(['Password may contain at most 4096 characters']);
  });

  test('accepts the demo passwords and generated ones', () => {
    for (const { password } of demoPeople) expect(missingRequirements(password)).toEqual([]);
    expect(missingRequirements(randomPassword())).toEqual([]);
  });
});

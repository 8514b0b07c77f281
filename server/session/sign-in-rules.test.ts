import { describe, expect, test } from 'vitest';

import { UserValidation_SignInProvider } from '#proto/gen/hiber/user_pb.ts';

import type { Session } from './session.ts';
import { findBarringRule, findBrokenRule, type CheckedSignIn, type SignInRules } from './sign-in-rules.ts';

const { GOOGLE, PASSWORD } = UserValidation_SignInProvider;
const noRules: SignInRules = {
  organization: 'acme',
  emailRegex: '',
  providers: [],
  requireVerifiedEmail: false,
} as Partial<SignInRules> as SignInRules;
const ana: CheckedSignIn = { email: 'ana@acme.example', emailVerified: true, provider: 'password' };
const brokenRuleFor = (rules: Partial<SignInRules>, signIn: Partial<CheckedSignIn> = {}) =>
  findBrokenRule({ ...noRules, ...rules }, { ...ana, ...signIn });

describe("an organization's sign-in rules", () => {
  test('admit everyone if there are no rules', () => {
    expect(brokenRuleFor({}, { emailVerified: false, provider: 'github.com' })).toBeUndefined();
  });

  test('can require a provider, but accept sign-ins from an unknown provider', () => {
    expect(brokenRuleFor({ providers: [GOOGLE] })).toBe('"acme" requires you to sign in with a Google account.');
    expect(brokenRuleFor({ providers: [PASSWORD] })).toBeUndefined();
    expect(brokenRuleFor({ providers: [PASSWORD] }, { provider: 'google.com' })).toContain('with a password.');
    expect(brokenRuleFor({ providers: [PASSWORD, GOOGLE] }, { provider: 'google.com' })).toBeUndefined();
    expect(brokenRuleFor({ providers: [PASSWORD, GOOGLE] }, { provider: 'github.com' })).toBe(
      '"acme" requires you to sign in with a password or a Google account.',
    );
    expect(brokenRuleFor({ providers: [GOOGLE] }, { provider: undefined })).toBeUndefined();
  });

  test('can require a verified address', () => {
    expect(brokenRuleFor({ requireVerifiedEmail: true })).toBeUndefined();
    expect(brokenRuleFor({ requireVerifiedEmail: true }, { emailVerified: false })).toContain(
      "ana@acme.example isn't verified",
    );
  });

  test('can require an address that matches a pattern', () => {
    expect(brokenRuleFor({ emailRegex: '.*@acme.example' })).toBeUndefined();
    expect(brokenRuleFor({ emailRegex: '.*@other.example' })).toContain(
      "match .*@other.example, and ana@acme.example doesn't",
    );
  });
});

describe('a user is barred', () => {
  const barFor = (memberships: Record<string, string | undefined>) => {
    const entries = Object.entries(memberships).map(([organization, rule]) => ({
      organization,
      path: [organization],
      roles: [],
      blockedReason: rule,
    }));
    return findBarringRule({ memberships: entries } as Partial<Session> as Session, ['top', 'middle', 'here']);
  };

  test('by the first rule, if all memberships that reach the organization are barred', () => {
    expect(barFor({})).toBeUndefined();
    expect(barFor({ elsewhere: 'no' })).toBeUndefined();
    expect(barFor({ elsewhere: 'other', here: 'no' })).toBe('no');
    expect(barFor({ top: 'first', here: 'second' })).toBe('first');
    expect(barFor({ here: undefined })).toBeUndefined();
    expect(barFor({ top: 'no', middle: undefined })).toBeUndefined();
  });
});

import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { SecondFactorRequiredError } from '#src/auth/account.ts';
import { i18n, translate } from '#src/i18n/i18n.ts';
import { pageMessage } from '#src/sign-in/frame/texts.ts';

import { problemOf, MESSAGES } from './problems.ts';

const fallback = pageMessage('create.failed');
const problemWithCode = (code: string) => problemOf(Object.assign(new Error('SDK message'), { code }), fallback);
const messageText = (error: unknown) => {
  const problem = problemOf(error, fallback);
  return problem && translate(problem.message);
};

// The messages in section 8 of the spec, verbatim.
test.each([
  ['auth/invalid-credential', 'Your email or password is not correct.'],
  ['auth/user-not-found', 'There is no user record corresponding to this email.'],
  [
    'auth/email-already-in-use',
    'The provided email is already in use by an existing user. Each user must have a unique email.',
  ],
  ['auth/wrong-password', 'The password is invalid or the user does not have a password.'],
  [
    'auth/account-exists-with-different-credential',
    'An account with the email address already exists with different credentials.',
  ],
  ['auth/popup-closed-by-user', 'The authentication pop-up was closed before signing in.'],
  ['auth/invalid-email', 'Please enter a valid email.'],
  ['auth/too-many-requests', 'Too many attempts. Wait a moment, then try again.'],
])('%s reads "%s"', (code, expected) => {
  expect(translate(problemWithCode(code)!.message)).toBe(expected);
});

test('has a message for each known code', () => {
  const keys = Object.values(MESSAGES).flatMap((problem) => problem?.message.key ?? []);
  expect(keys.length).toBeGreaterThan(30);
  expect(keys.filter((key) => !i18n.exists(key))).toEqual([]);
});

test('shows nothing if a second factor is required', () => {
  expect(problemWithCode('auth/multi-factor-auth-required')).toBeUndefined();
  expect(problemOf(new SecondFactorRequiredError(), fallback)).toBeUndefined();
});

test('shows a problem next to its field', () => {
  expect(problemWithCode('auth/email-already-in-use')?.field).toBe('email');
  expect(problemWithCode('auth/password-does-not-meet-requirements')?.field).toBe('password');
  expect(problemWithCode('auth/invalid-verification-code')?.field).toBe('code');
});

test("falls back to the form's message, never to SDK text", () => {
  expect(messageText(new Error('Firebase: odd'))).toBe('There was a problem trying to create your account.');
  expect(translate(problemWithCode('auth/never-heard-of')!.message)).toBe(
    'There was a problem trying to create your account.',
  );
  expect(translate(problemWithCode('toString')!.message)).toBe('There was a problem trying to create your account.');
});

test('passes on server messages', () => {
  expect(messageText(new ConnectError('Your invitation has expired.', Code.FailedPrecondition))).toBe(
    'Your invitation has expired.',
  );
});

import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';

import { SecondFactorRequired } from '#src/auth/account.ts';
import { i18n, translate } from '#src/i18n/i18n.ts';
import { problemOf, SAID } from './problems.ts';
import { pageMessage } from '#src/sign-in/frame/texts.ts';

const otherwise = pageMessage('create.failed');
const ofCode = (code: string) => problemOf(Object.assign(new Error('as the SDK says it'), { code }), otherwise);
const sentence = (error: unknown) => {
  const problem = problemOf(error, otherwise);
  return problem && translate(problem.message);
};

// The sentences of spec 8, word for word.
it.each([
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
  expect(translate(ofCode(code)!.message)).toBe(expected);
});

it('has a sentence for each code that it knows', () => {
  const keys = Object.values(SAID).flatMap((problem) => problem?.message.key ?? []);
  expect(keys.length).toBeGreaterThan(30);
  expect(keys.filter((key) => !i18n.exists(key))).toEqual([]);
});

it('shows nothing for a second factor that is required', () => {
  expect(ofCode('auth/multi-factor-auth-required')).toBeUndefined();
  expect(problemOf(new SecondFactorRequired(), otherwise)).toBeUndefined();
});

it('says beside the field what is about it', () => {
  expect(ofCode('auth/email-already-in-use')?.field).toBe('email');
  expect(ofCode('auth/password-does-not-meet-requirements')?.field).toBe('password');
  expect(ofCode('auth/invalid-verification-code')?.field).toBe('code');
});

it('says what the form was for when it knows no more, and never a text of the SDK', () => {
  expect(sentence(new Error('Firebase: odd'))).toBe('There was a problem trying to create your account.');
  expect(translate(ofCode('auth/never-heard-of')!.message)).toBe('There was a problem trying to create your account.');
  expect(translate(ofCode('toString')!.message)).toBe('There was a problem trying to create your account.');
});

it('passes on what the server says', () => {
  expect(sentence(new ConnectError('Your invitation has expired.', Code.FailedPrecondition))).toBe(
    'Your invitation has expired.',
  );
});

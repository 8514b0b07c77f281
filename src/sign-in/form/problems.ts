import { ConnectError } from '@connectrpc/connect';

import { CommandError } from '#commands/model/errors.ts';
import type { Message } from '#commands/text/message.ts';

import { lookupFailure } from '#src/data/failure.ts';
import { pageMessage } from '#src/sign-in/frame/texts.ts';

/** What went wrong, and which field it is about where it is about one. */
export interface Problem {
  readonly message: Message;
  readonly field?: string;
}

const of = (key: string, field?: string): Problem =>
  field ? { message: pageMessage(key), field } : { message: pageMessage(key) };

/** What is said for the identity provider's codes (spec 8). */
export const SAID: Readonly<Record<string, Problem | undefined>> = {
  'auth/invalid-credential': of('invalidCredential'),
  'auth/invalid-login-credentials': of('invalidCredential'),
  'auth/invalid-email': of('invalidEmail', 'email'),
  'auth/user-not-found': of('userNotFound', 'email'),
  'auth/wrong-password': of('wrongPassword', 'password'),
  'auth/email-already-in-use': of('emailInUse', 'email'),
  'auth/account-exists-with-different-credential': of('differentCredential'),
  'auth/credential-already-in-use': of('differentCredential'),
  'auth/popup-closed-by-user': of('popupClosed'),
  'auth/cancelled-popup-request': of('popupClosed'),
  'auth/user-cancelled': of('popupClosed'),
  'auth/popup-blocked': of('popupBlocked'),
  'auth/unauthorized-domain': of('unauthorizedDomain'),
  'auth/user-disabled': of('disabled'),
  'auth/operation-not-allowed': of('notAllowed'),
  'auth/admin-restricted-operation': of('notAllowed'),
  'auth/too-many-requests': of('tooMany'),
  'auth/quota-exceeded': of('tooMany'),
  'auth/network-request-failed': of('network'),
  'auth/timeout': of('network'),
  'auth/internal-error': of('providerFailed'),
  'auth/weak-password': of('weakPassword', 'password'),
  'auth/password-does-not-meet-requirements': of('policyUnmet', 'password'),
  'auth/invalid-verification-code': of('wrongCode', 'code'),
  'auth/missing-verification-code': of('invalidCode', 'code'),
  'auth/code-expired': of('codeExpired', 'code'),
  'auth/totp-challenge-timeout': of('challengeExpired'),
  'auth/invalid-multi-factor-session': of('challengeExpired'),
  'auth/missing-multi-factor-session': of('challengeExpired'),
  'auth/multi-factor-info-not-found': of('factorGone'),
  'auth/maximum-second-factor-count-exceeded': of('tooManyFactors'),
  'auth/second-factor-already-in-use': of('factorInUse', 'phone'),
  'auth/unsupported-first-factor': of('unsupportedFirstFactor'),
  'auth/unverified-email': of('unverifiedEmail'),
  'auth/invalid-phone-number': of('invalidPhone', 'phone'),
  'auth/missing-phone-number': of('invalidPhone', 'phone'),
  'auth/captcha-check-failed': of('captchaFailed'),
  'auth/expired-action-code': of('linkExpired'),
  'auth/invalid-action-code': of('linkInvalid'),
  'auth/requires-recent-login': of('recentLogin'),
  'auth/user-token-expired': of('sessionExpired'),
  'auth/invalid-user-token': of('sessionExpired'),
  'auth/user-mismatch': of('sessionExpired'),
  'auth/multi-factor-auth-required': undefined,
};

/** What a screen itself refuses once it has asked the identity provider. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message.key);
    this.problem = problem;
  }
}

/**
 * The sentence for an error of a sign-in screen: the identity provider's by its code, a call's or a command's own, else
 * `otherwise`. Undefined where nothing is shown: a second factor that is required (spec 8).
 */
export function problemOf(error: unknown, otherwise: Message): Problem | undefined {
  if (error instanceof Refusal) return error.problem;
  if (error instanceof ConnectError || error instanceof CommandError) return { message: lookupFailure(error) };
  if (!(error instanceof Error)) return { message: otherwise };
  if (error.name === 'SecondFactorRequired') return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return Object.hasOwn(SAID, code) ? SAID[code] : { message: otherwise };
}

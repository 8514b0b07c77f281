import { ConnectError } from '@connectrpc/connect';

import { CommandError } from '#commands/model/errors.ts';
import type { Message } from '#commands/text/message.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { pageMessage } from '#src/sign-in/frame/texts.ts';
import type { Problem } from '#src/ui/fields/use-form.ts';

const problem = (key: string, field?: string): Problem =>
  field ? { message: pageMessage(key), field } : { message: pageMessage(key) };

/** The messages for the identity provider's codes (spec 8). */
export const MESSAGES: Readonly<Record<string, Problem | undefined>> = {
  'auth/invalid-credential': problem('invalidCredential'),
  'auth/invalid-login-credentials': problem('invalidCredential'),
  'auth/invalid-email': problem('invalidEmail', 'email'),
  'auth/user-not-found': problem('userNotFound', 'email'),
  'auth/wrong-password': problem('wrongPassword', 'password'),
  'auth/email-already-in-use': problem('emailInUse', 'email'),
  'auth/account-exists-with-different-credential': problem('differentCredential'),
  'auth/credential-already-in-use': problem('differentCredential'),
  'auth/popup-closed-by-user': problem('popupClosed'),
  'auth/cancelled-popup-request': problem('popupClosed'),
  'auth/user-cancelled': problem('popupClosed'),
  'auth/popup-blocked': problem('popupBlocked'),
  'auth/unauthorized-domain': problem('unauthorizedDomain'),
  'auth/user-disabled': problem('disabled'),
  'auth/operation-not-allowed': problem('notAllowed'),
  'auth/admin-restricted-operation': problem('notAllowed'),
  'auth/too-many-requests': problem('tooMany'),
  'auth/quota-exceeded': problem('tooMany'),
  'auth/network-request-failed': problem('network'),
  'auth/timeout': problem('network'),
  'auth/internal-error': problem('providerFailed'),
  'auth/weak-password': problem('weakPassword', 'password'),
  'auth/password-does-not-meet-requirements': problem('policyUnmet', 'password'),
  'auth/invalid-verification-code': problem('wrongCode', 'code'),
  'auth/missing-verification-code': problem('invalidCode', 'code'),
  'auth/code-expired': problem('codeExpired', 'code'),
  'auth/totp-challenge-timeout': problem('challengeExpired'),
  'auth/invalid-multi-factor-session': problem('challengeExpired'),
  'auth/missing-multi-factor-session': problem('challengeExpired'),
  'auth/multi-factor-info-not-found': problem('factorGone'),
  'auth/maximum-second-factor-count-exceeded': problem('tooManyFactors'),
  'auth/second-factor-already-in-use': problem('factorInUse', 'phone'),
  'auth/unsupported-first-factor': problem('unsupportedFirstFactor'),
  'auth/unverified-email': problem('unverifiedEmail'),
  'auth/invalid-phone-number': problem('invalidPhone', 'phone'),
  'auth/missing-phone-number': problem('invalidPhone', 'phone'),
  'auth/captcha-check-failed': problem('captchaFailed'),
  'auth/expired-action-code': problem('linkExpired'),
  'auth/invalid-action-code': problem('linkInvalid'),
  'auth/requires-recent-login': problem('recentLogin'),
  'auth/user-token-expired': problem('sessionExpired'),
  'auth/invalid-user-token': problem('sessionExpired'),
  'auth/user-mismatch': problem('sessionExpired'),
  'auth/multi-factor-auth-required': undefined,
};

/** Thrown by a screen that rejects a value itself, after it has asked the identity provider. */
export class RejectedValueError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message.key);
    this.problem = problem;
  }
}

/**
 * Returns the message for an error on a sign-in screen: the message from a failed call or command, the message for the
 * identity provider's code, or else `fallback`. Returns undefined for a required second factor, which is not shown as
 * an error (spec 8).
 */
export function problemOf(error: unknown, fallback: Message): Problem | undefined {
  if (error instanceof RejectedValueError) return error.problem;
  if (error instanceof ConnectError || error instanceof CommandError) return { message: lookupFailure(error) };
  if (!(error instanceof Error)) return { message: fallback };
  if (error.name === 'SecondFactorRequiredError') return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : { message: fallback };
}

import { FirebaseError } from 'firebase/app';

/** What sign-in says for the identity provider's codes (spec 8): keys of `login`, undefined where nothing is shown. */
const SAID: Readonly<Record<string, string | undefined>> = {
  'auth/invalid-credential': 'login.invalidCredential',
  'auth/invalid-email': 'login.invalidEmail',
  'auth/user-not-found': 'login.userNotFound',
  'auth/wrong-password': 'login.wrongPassword',
  'auth/email-already-in-use': 'login.emailInUse',
  'auth/account-exists-with-different-credential': 'login.differentCredential',
  'auth/popup-closed-by-user': 'login.popupClosed',
  'auth/user-disabled': 'login.disabled',
  'auth/too-many-requests': 'login.tooMany',
  'auth/network-request-failed': 'login.network',
  'auth/multi-factor-auth-required': undefined,
};

export function signInProblem(error: unknown): string | undefined {
  if (error instanceof FirebaseError && error.code in SAID) return SAID[error.code];
  return 'login.failed';
}

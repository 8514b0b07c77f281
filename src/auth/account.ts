/** What the identity provider tells of an account, in our words: the SDK's own types stay where the SDK is loaded. */

/** A second factor that is enrolled. */
export interface Factor {
  readonly id: string;
  readonly kind: 'totp' | 'sms';
  /** The name it was given, else the masked phone number. */
  readonly label: string;
}

export interface Identity {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
  /** Provider ids: `password`, `google.com`. */
  readonly providers: readonly string[];
  readonly factors: readonly Factor[];
}

/**
 * How somebody came in, until they have passed everything that is asked of those who just came in. `created` means that
 * the verification mail is on its way.
 */
export type Arrival = 'password' | 'google' | 'created';

export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The rules that a new password must meet (spec 5). Lengths are in characters. */
export interface PasswordPolicy {
  readonly minLength: number;
  readonly maxLength: number | undefined;
  readonly lowercase: boolean;
  readonly uppercase: boolean;
  readonly numeric: boolean;
  readonly nonAlphanumeric: boolean;
}

/** Thrown by a sign-in that waits for a second factor. Nothing is shown for it (spec 8): the way on is /login/mfa. */
export class SecondFactorRequired extends Error {
  constructor() {
    super('The sign-in waits for a second factor.');
    this.name = 'SecondFactorRequired';
  }
}

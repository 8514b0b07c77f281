// Our own types for the identity provider's account data. The SDK's types stay in the modules that load it.

/** An enrolled second factor. */
export interface Factor {
  readonly id: string;
  readonly kind: 'totp' | 'sms';
  /** The name of the factor, or else the masked phone number. */
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
 * How the user signed in, until they have completed all steps after sign-in. `created` also means that the verification
 * email has been sent.
 */
export type Arrival = 'password' | 'google' | 'created';

export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The rules for a new password (spec 5). Lengths are in characters. */
export interface PasswordPolicy {
  readonly minLength: number;
  readonly maxLength: number | undefined;
  readonly lowercase: boolean;
  readonly uppercase: boolean;
  readonly numeric: boolean;
  readonly nonAlphanumeric: boolean;
}

/**
 * Thrown by a sign-in that needs a second factor. It isn't shown as an error (spec 8), because the sign-in continues
 * at /login/mfa.
 */
export class SecondFactorRequiredError extends Error {
  constructor() {
    super('The sign-in needs a second factor.');
    this.name = 'SecondFactorRequiredError';
  }
}

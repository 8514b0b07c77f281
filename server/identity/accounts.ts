import { randomBytes } from 'node:crypto';

/** The server's calls to the identity provider, which owns the accounts. `app_user` only mirrors them. */
export interface IdentityAccounts {
  /**
   * Creates an account that signs in with a password.
   *
   * @param account if it has no password, the user must first reset it
   * @returns the subject of the user's ID tokens
   * @throws EmailTakenError if an account already has that address
   * @throws WeakPasswordError if the provider's policy rejects the password
   */
  create(account: NewAccount): Promise<{ id: string }>;
  /**
   * Makes the provider email a link to set a new password. For an unknown address, it sends nothing but responds the
   * same way.
   */
  sendPasswordReset(email: string): Promise<void>;
  /**
   * Deletes the account that signed in with the given ID token; succeeds if it has already been deleted.
   *
   * @throws SignInTooOldError if the provider requires a more recent sign-in to delete the account
   */
  remove(caller: { idToken: string }): Promise<void>;
}

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password?: string | undefined;
  /** True if the provider should email a link to verify the address. */
  readonly sendVerification: boolean;
}

/** The messages of this error and the next two can be shown to the caller. */
export class EmailTakenError extends Error {
  override name = 'EmailTakenError';
}

export class WeakPasswordError extends Error {
  override name = 'WeakPasswordError';
}

export class SignInTooOldError extends Error {
  override name = 'SignInTooOldError';
}

/** Thrown if the provider can't be reached, or rejected the request for a reason other than the caller's input. */
export class AccountsError extends Error {
  override name = 'AccountsError';
  /** The provider's error code; undefined if it didn't respond. */
  readonly code: string | undefined;

  constructor(message: string, code?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns a random password that satisfies any Firebase policy. */
export const randomPassword = (): string => `aA1-${randomBytes(24).toString('base64url')}`;

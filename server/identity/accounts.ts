import { randomBytes } from 'node:crypto';

/** What the server asks of the identity provider for people: accounts live there, `app_user` only follows. */
export interface IdentityAccounts {
  /**
   * Makes an account that signs in with a password.
   *
   * @param account without a password, nobody knows it until the person sets one by a reset
   * @returns the subject of the person's ID tokens
   * @throws EmailTaken when an account has that address already
   * @throws WeakPassword when the provider's policy refuses the password
   */
  create(account: NewAccount): Promise<{ id: string }>;
  /** Has the provider mail a link to set a new password. An unknown address gets no mail, and no other answer. */
  sendPasswordReset(email: string): Promise<void>;
  /**
   * Deletes the account that signed in with this ID token; one that is gone already is no failure.
   *
   * @throws SignInTooOld when the provider wants a fresh sign-in before it deletes
   */
  remove(caller: { idToken: string }): Promise<void>;
}

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password?: string | undefined;
  /** Has the provider mail the link that verifies the address. */
  readonly sendVerification: boolean;
}

/** Messages of these are sentences for whoever asked. */
export class EmailTaken extends Error {
  override name = 'EmailTaken';
}

export class WeakPassword extends Error {
  override name = 'WeakPassword';
}

export class SignInTooOld extends Error {
  override name = 'SignInTooOld';
}

/** The provider refused for a reason that is not the caller's, or cannot be reached. */
export class AccountsFailed extends Error {
  override name = 'AccountsFailed';
  /** The provider's own; undefined when it did not answer. */
  readonly code: string | undefined;

  constructor(message: string, code?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Satisfies any policy of Firebase, and is known to nobody. */
export const unknownPassword = (): string => `aA1-${randomBytes(24).toString('base64url')}`;

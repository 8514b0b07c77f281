import type { SignInMethod } from '#server/base/config.ts';

/** A user who gets an account when the provider starts. */
export interface EmulatorPerson {
  /** The subject of the user's ID tokens, which must be the id of their `app_user` row. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** The server's first and only message to the identity provider's process. */
export interface ProviderStart {
  readonly project: string;
  readonly people: readonly EmulatorPerson[];
  /** The sign-in methods to offer; the provider ignores `token`. */
  readonly signIn: readonly SignInMethod[];
  /** URLs of the console's stylesheets, for the provider's own pages. */
  readonly stylesheets: readonly string[];
  /** The file that stores the accounts between runs. If undefined, the accounts aren't stored. */
  readonly accountsPath: string | undefined;
  /** The key that encrypts the accounts file, in base64. */
  readonly sealingKey: string;
}

/** A notice with a code. Entering the code proves that the user receives messages at `to`. */
export interface Notice {
  readonly kind: 'verify-email' | 'reset-password' | 'change-email' | 'sms-code';
  /** An email address, or a phone number for a code by SMS. */
  readonly to: string;
  readonly code: string;
}

export type ToProvider = { kind: 'start'; start: ProviderStart } | { kind: 'stop' };

export type FromProvider =
  | { kind: 'ready'; port: number }
  | { kind: 'failed'; reason: string }
  /** A request was rejected because its change couldn't be saved. */
  | { kind: 'not-saved'; reason: string }
  | { kind: 'notice'; notice: Notice };

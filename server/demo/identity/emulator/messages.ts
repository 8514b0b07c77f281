import type { SignInMethod } from '#server/base/config.ts';

/** A person who can sign in from the start. */
export interface EmulatorPerson {
  /** Becomes the subject of their ID tokens, so that it must be the id of their `app_user` row. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** What the server tells the identity provider's process, once. */
export interface ProviderStart {
  readonly project: string;
  readonly people: readonly EmulatorPerson[];
  /** The ways in that are offered; a token is not the provider's business. */
  readonly signIn: readonly SignInMethod[];
  /** Addresses of the console's, for the pages that the provider writes itself. */
  readonly stylesheets: readonly string[];
  /** File that keeps the accounts between two runs; none keeps them for this run only. */
  readonly accountsPath: string | undefined;
  /** Base64 of the key that seals that file. */
  readonly sealingKey: string;
}

/** Something that the provider has to tell a person: a code that proves that they read what is sent to `to`. */
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
  /** A request was refused, as what it changed could not be kept. */
  | { kind: 'not-saved'; reason: string }
  | { kind: 'notice'; notice: Notice };

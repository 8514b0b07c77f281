import { createHash, randomBytes } from 'node:crypto';

/** Tells our API tokens from ID tokens, and a leaked one from random text. */
const PREFIX = 'qd_';

/** Random bytes in a token, and in a minimized one: both far beyond guessing. */
const SECRET_BYTES = 32;
const MINIMIZED_BYTES = 16;

export const isApiToken = (bearer: string): boolean => bearer.startsWith(PREFIX);

/**
 * Makes the secret of a new token: the prefix and 43 characters, or 22 when minimized (contract: TokenService; how much
 * `minimize` shortens is not stated). It is shown once and kept nowhere, only its hash is.
 */
export const newApiToken = (minimize: boolean): string =>
  PREFIX + randomBytes(minimize ? MINIMIZED_BYTES : SECRET_BYTES).toString('base64url');

/** A plain SHA-256 is enough: what is hashed is random, so there is nothing to guess. */
export const hashOfApiToken = (secret: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(secret).digest());

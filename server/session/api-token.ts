import { createHash, randomBytes } from 'node:crypto';

/** Distinguishes our API tokens from ID tokens, and a leaked token from random text. */
const PREFIX = 'qd_';

/** Random bytes in a token. */
const SECRET_BYTES = 32;
/** Random bytes in a minimized token; still far too many to guess. */
const MINIMIZED_BYTES = 16;

export const isApiToken = (bearer: string): boolean => bearer.startsWith(PREFIX);

/**
 * Creates the secret of a new token: the prefix and 43 characters, or 22 if minimized (contract: TokenService; the
 * effect of `minimize` is not stated). It is shown once and never stored, only its hash is.
 */
export const newApiToken = (minimize: boolean): string =>
  PREFIX + randomBytes(minimize ? MINIMIZED_BYTES : SECRET_BYTES).toString('base64url');

/** A plain SHA-256 is enough: the secret is random and cannot be guessed. */
export const hashOfApiToken = (secret: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(secret).digest());

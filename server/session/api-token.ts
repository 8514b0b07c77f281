import { createHash, randomBytes } from 'node:crypto';

/** Distinguishes API tokens from ID tokens and helps secret scanners recognize a leaked token. */
const PREFIX = 'qd_';

/** The number of random bytes in a token. */
const SECRET_BYTES = 32;
/** The number of random bytes in a minimized token, which is still impossible to guess. */
const MINIMIZED_BYTES = 16;

export const isApiToken = (bearer: string): boolean => bearer.startsWith(PREFIX);

/**
 * Creates a new token's secret: the prefix and 43 characters, or 22 if minimized. The contract doesn't say what
 * `minimize` does (TokenService). The secret is shown once; only its hash is stored.
 */
export const newApiToken = (minimize: boolean): string =>
  PREFIX + randomBytes(minimize ? MINIMIZED_BYTES : SECRET_BYTES).toString('base64url');

/** Hashes a secret. Plain SHA-256 is enough because the secret is random and can't be guessed. */
export const hashApiToken = (secret: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(secret).digest());

import { errors, type JWTPayload } from 'jose';

import { isEmailAddress } from '#commands/text/email.ts';
import { cleanLine } from '#commands/text/visible.ts';

import { MAX_PERSON_NAME_LENGTH } from './person-name.ts';
import { InvalidIdentityError, type VerifiedIdentity } from './verifier.ts';

/** The tolerated difference between the provider's clock and this machine's. */
const SKEW_SECONDS = 60;

/**
 * Reads the claims that both kinds of verifier use, after the token itself has been verified.
 *
 * @throws InvalidIdentityError if the token has no subject or no valid address, or is dated in the future, because
 *   revocations before that date would not affect it
 */
export function readIdentity(claims: JWTPayload): VerifiedIdentity {
  const { sub, email, name, iat, exp, auth_time: authTime, email_verified: emailVerified } = claims;
  if (typeof sub !== 'string' || sub === '') throw new InvalidIdentityError("The ID token doesn't identify a user.");
  if (typeof email !== 'string' || email === '')
    throw new InvalidIdentityError('The ID token contains no email address.');
  if (typeof authTime !== 'number' || !(authTime >= 0))
    throw new InvalidIdentityError("The ID token doesn't state when the user signed in.");
  if (exp === undefined) throw new InvalidIdentityError("The ID token doesn't state when it expires.");
  // Unlike the name, the address isn't cleaned: the provider has verified exactly this address.
  if (!isEmailAddress(email)) {
    throw new InvalidIdentityError('The ID token contains an invalid email address. Change it where you signed in.');
  }
  const latest = Date.now() / 1000 + SKEW_SECONDS;
  if (authTime > latest) throw new InvalidIdentityError('The ID token has a sign-in time in the future.');
  if (iat !== undefined && iat > latest)
    throw new InvalidIdentityError('The ID token has an issue time in the future.');
  const signIn = readSignIn(claims);
  return {
    subject: sub,
    email: email.trim(),
    // Users choose their name at the provider, which doesn't check it, so a bad name is no reason to reject a sign-in.
    name: typeof name === 'string' ? cleanLine(name, MAX_PERSON_NAME_LENGTH) : '',
    emailVerified: emailVerified === true,
    provider: typeof signIn.sign_in_provider === 'string' ? signIn.sign_in_provider : '',
    secondFactor: typeof signIn.sign_in_second_factor === 'string',
    authenticatedAt: new Date(authTime * 1000),
    expiresAt: new Date(exp * 1000),
  };
}

/** Reads Firebase's own claims; a token without them does not state how the user signed in. */
function readSignIn({ firebase }: JWTPayload): Record<string, unknown> {
  return typeof firebase === 'object' && firebase !== null ? { ...firebase } : {};
}

/**
 * Converts jose's error for an invalid token, without quoting any of the token. Rethrows errors that aren't about the
 * token.
 */
export function toIdentityError(error: unknown): InvalidIdentityError {
  if (error instanceof InvalidIdentityError) return error;
  if (error instanceof errors.JWTExpired) return new InvalidIdentityError('The ID token has expired. Sign in again.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new InvalidIdentityError(
      `The ID token isn't meant for this server, because its "${error.claim}" claim is wrong.`,
    );
  }
  // A failure to fetch the keys is our problem, not the caller's: the token may be valid.
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) throw error;
  if (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC') {
    return new InvalidIdentityError('The ID token is malformed or its signature is wrong.');
  }
  throw error;
}

import { errors, type JWTPayload } from 'jose';
import { isEmailAddress } from '#commands/text/email.ts';
import { cleanLine } from '#commands/text/visible.ts';
import { longestPersonName } from './person-name.ts';
import { InvalidIdentity, type VerifiedIdentity } from './verifier.ts';

/** Clocks of the provider and of this machine may differ by this much. */
const SKEW_SECONDS = 60;

/**
 * Reads the claims that both kinds of verifier rely on, after the token itself was checked.
 *
 * @throws InvalidIdentity when the token names no person, or no address to know them by, or is from the future: a
 *   sign-in
 *   that is said to be later than now would outlive every revocation until then
 */
export function identityOf(claims: JWTPayload): VerifiedIdentity {
  const { sub, email, name, iat, exp, auth_time: authTime, email_verified: emailVerified } = claims;
  if (typeof sub !== 'string' || sub === '') throw new InvalidIdentity('The ID token names no user.');
  if (typeof email !== 'string' || email === '') throw new InvalidIdentity('The ID token carries no email address.');
  if (typeof authTime !== 'number' || !(authTime >= 0))
    throw new InvalidIdentity('The ID token does not say when the user signed in.');
  if (exp === undefined) throw new InvalidIdentity('The ID token does not say when it expires.');
  // Not cleaned, unlike the name: the provider has verified this address, and not the one that cleaning would make of
  // it.
  if (!isEmailAddress(email)) {
    throw new InvalidIdentity(
      'The ID token carries an email address that cannot be one: change it where you signed in.',
    );
  }
  const latest = Date.now() / 1000 + SKEW_SECONDS;
  if (authTime > latest) throw new InvalidIdentity('The ID token says that the user signs in in the future.');
  if (iat !== undefined && iat > latest)
    throw new InvalidIdentity('The ID token says that it is issued in the future.');
  const signIn = signInOf(claims);
  return {
    subject: sub,
    email: email.trim(),
    // People set it themselves at the provider, where nothing checks it; a sign-in is not refused for it.
    name: typeof name === 'string' ? cleanLine(name, longestPersonName) : '',
    emailVerified: emailVerified === true,
    provider: typeof signIn.sign_in_provider === 'string' ? signIn.sign_in_provider : '',
    secondFactor: typeof signIn.sign_in_second_factor === 'string',
    authenticatedAt: new Date(authTime * 1000),
    expiresAt: new Date(exp * 1000),
  };
}

/** What Firebase adds of its own; a token without it says nothing about how it was come by. */
function signInOf({ firebase }: JWTPayload): Record<string, unknown> {
  return typeof firebase === 'object' && firebase !== null ? { ...firebase } : {};
}

/** Says why jose refused a token, without repeating any of it. Failures that are not about the token are rethrown. */
export function refusal(error: unknown): InvalidIdentity {
  if (error instanceof InvalidIdentity) return error;
  if (error instanceof errors.JWTExpired) return new InvalidIdentity('The ID token has expired: sign in again.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new InvalidIdentity(`The ID token is not meant for this server: its "${error.claim}" claim is wrong.`);
  }
  // Not being able to fetch the keys says nothing about the token: that is our trouble, not the caller's.
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) throw error;
  if (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC') {
    return new InvalidIdentity('The ID token is malformed or its signature is wrong.');
  }
  throw error;
}

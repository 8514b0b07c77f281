import { UnsecuredJWT } from 'jose';

import { readIdentity, toIdentityError } from '#server/identity/claims.ts';
import { type IdentityVerifier, issuerOf } from '#server/identity/verifier.ts';

/** True for a demo project. Firebase reserves this prefix for projects that don't exist. */
export const isDemoProject = (project: string): boolean => project.startsWith('demo-');

/**
 * Reads the unsigned ID tokens of the embedded identity provider. Anyone can forge these tokens, so they must never be
 * used for real users. Accepts only `demo-` projects.
 *
 * @throws Error if the project could be a real one
 */
export function unsecuredVerifier(project: string): IdentityVerifier {
  if (!isDemoProject(project)) {
    throw new Error(`The embedded identity provider serves only projects named "demo-…", not "${project}".`);
  }
  const expected = { issuer: issuerOf(project), audience: project, requiredClaims: ['exp'] };
  return {
    async verify(idToken) {
      try {
        return readIdentity(UnsecuredJWT.decode(idToken, expected).payload);
      } catch (error) {
        throw toIdentityError(error);
      }
    },
  };
}

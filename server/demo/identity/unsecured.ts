import { UnsecuredJWT } from 'jose';

import { readIdentity, refusal } from '#server/identity/claims.ts';
import { type IdentityVerifier, issuerOf } from '#server/identity/verifier.ts';

/** True for a demo project. Firebase reserves this prefix for projects that do not exist. */
export const isDemoProject = (project: string): boolean => project.startsWith('demo-');

/**
 * Reads the unsigned ID tokens of the embedded identity provider. Anyone can forge such a token, so it must never be
 * used for real users. Only a `demo-` project is accepted.
 *
 * @throws Error if the project could be a real one
 */
export function unsecuredVerifier(project: string): IdentityVerifier {
  if (!isDemoProject(project)) {
    throw new Error(`The embedded identity provider serves projects named "demo-…" only, not "${project}".`);
  }
  const expected = { issuer: issuerOf(project), audience: project, requiredClaims: ['exp'] };
  return {
    async verify(idToken) {
      try {
        return readIdentity(UnsecuredJWT.decode(idToken, expected).payload);
      } catch (error) {
        throw refusal(error);
      }
    },
  };
}

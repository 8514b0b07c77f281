import { createRemoteJWKSet, jwtVerify } from 'jose';

import { readIdentity, toIdentityError } from './claims.ts';
import { type IdentityVerifier, issuerOf } from './verifier.ts';

/** The JSON Web Key Set with Google's public keys for Firebase ID tokens. */
const googleKeys = new URL('https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com');

/**
 * Verifies a Firebase project's ID tokens against Google's keys. Accepts only RS256 tokens that the project issued for
 * itself. Caches the keys and fetches them again when a token names an unknown key.
 *
 * @param project the id of the Firebase project
 * @param keys the URL of the key set; tests pass their own
 */
export function googleVerifier(project: string, keys: URL = googleKeys): IdentityVerifier {
  const keySet = createRemoteJWKSet(keys);
  return {
    async verify(idToken) {
      try {
        const { payload } = await jwtVerify(idToken, keySet, {
          algorithms: ['RS256'],
          issuer: issuerOf(project),
          audience: project,
          requiredClaims: ['sub', 'iat', 'exp', 'auth_time'],
        });
        return readIdentity(payload);
      } catch (error) {
        throw toIdentityError(error);
      }
    },
  };
}

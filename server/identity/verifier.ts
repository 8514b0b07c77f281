/** The caller according to the identity provider. Other claims are not used. */
export interface VerifiedIdentity {
  /** The provider's id for the user, which is also the id of the `app_user` row. */
  readonly subject: string;
  readonly email: string;
  /** Empty if the provider has no name for the user. */
  readonly name: string;
  /** True if the provider has verified that this address belongs to the user. */
  readonly emailVerified: boolean;
  /** The provider's name for the sign-in method, such as `password` or `google.com`; empty if the token has none. */
  readonly provider: string;
  /** True if the sign-in used a second factor. */
  readonly secondFactor: boolean;
  /** The time of the sign-in, to compare with later revocations. */
  readonly authenticatedAt: Date;
  /** The expiry of the token. */
  readonly expiresAt: Date;
}

export interface IdentityVerifier {
  /**
   * Verifies an ID token.
   *
   * @param idToken the compact form of a JWT, as the provider issued it
   * @throws InvalidIdentityError if it is malformed, expired, forged, or meant for another project
   */
  verify(idToken: string): Promise<VerifiedIdentity>;
}

/** Thrown for an invalid token. The message gives the reason and is safe to show to the caller. */
export class InvalidIdentityError extends Error {
  override name = 'InvalidIdentityError';
}

/** Returns the issuer of a Firebase project's ID tokens; their audience is the project itself. */
export const issuerOf = (project: string): string => `https://securetoken.google.com/${project}`;

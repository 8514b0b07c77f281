/** Who an identity provider says is calling. Claims beyond these are not used. */
export interface VerifiedIdentity {
  /** The provider's id of the person; the id of the `app_user` row. */
  readonly subject: string;
  readonly email: string;
  /** Empty when the provider knows none. */
  readonly name: string;
  /** The provider has seen that the person reads this address. */
  readonly emailVerified: boolean;
  /** How the person signed in, by the provider's name for it: `password`, `google.com`. Empty when it does not say. */
  readonly provider: string;
  /** The sign-in took a second factor besides. */
  readonly secondFactor: boolean;
  /** When the person signed in, for sessions that were revoked since. */
  readonly authenticatedAt: Date;
  /** When the token ceases to prove anything. */
  readonly expiresAt: Date;
}

export interface IdentityVerifier {
  /**
   * @param idToken the compact form of a JWT, as the provider issued it
   * @throws InvalidIdentity when it is malformed, expired, forged, or meant for another project
   */
  verify(idToken: string): Promise<VerifiedIdentity>;
}

/** The token proves nothing. The message says why in words that are safe to show to the caller. */
export class InvalidIdentity extends Error {
  override name = 'InvalidIdentity';
}

/** Firebase issues ID tokens under this name, followed by the project; the audience is the project itself. */
export const issuerOf = (project: string): string => `https://securetoken.google.com/${project}`;

import type { token } from '#server/db/schema/token.ts';
import type { appUser } from '#server/db/schema/user.ts';
import type { SupportPermissionName, UserPermissionName } from '#server/policies/permissions.ts';

export interface Membership {
  readonly organization: string;
  /** The organization and its ancestors. */
  readonly path: readonly string[];
  /** Role identifiers. */
  readonly roles: readonly string[];
  /**
   * A sentence that explains why this membership grants nothing. Either the sign-in breaks a rule of the organization,
   * or the membership is suspended. Undefined if the membership is in effect.
   */
  readonly blockedReason: string | undefined;
}

/** The caller: a user, or an API token on behalf of its owner. */
export interface Session {
  /** The signed-in user, or the token's owner. */
  readonly user: typeof appUser.$inferSelect;
  /** The API token of this call; undefined if a user signed in. */
  readonly token: typeof token.$inferSelect | undefined;
  /** How the user signed in; undefined for an API token. */
  readonly signIn: CurrentSignIn | undefined;
  /** The client's name; empty if it sends none. */
  readonly client: string;
  /** The organizations that the user is a member of, sorted by identifier. */
  readonly memberships: readonly Membership[];
  /** Roles that the user uses instead of their own, keyed by organization. */
  readonly overrides: ReadonlyMap<string, readonly string[]>;
  readonly userPermissions: ReadonlySet<UserPermissionName>;
  readonly supportPermissions: ReadonlySet<SupportPermissionName>;
}

export interface CurrentSignIn {
  /** The id of the row in `sign_in`. */
  readonly id: string;
  /** The identity provider's name for the method: `password`, `google.com`. */
  readonly provider: string;
  readonly emailVerified: boolean;
  /** The expiry of this call's ID token; the client may refresh the token before then. */
  readonly expiresAt: Date;
}

import type { appUser } from '#server/db/schema/user.ts';
import type { token } from '#server/db/schema/token.ts';
import type { SupportPermissionName, UserPermissionName } from '#server/policies/permissions.ts';

export interface Membership {
  readonly organization: string;
  /** Role identifiers. */
  readonly roles: readonly string[];
  /**
   * The rule of the organization that this sign-in breaks, or its suspension, as a sentence; a barred membership
   * gives nothing.
   */
  readonly barred: string | undefined;
}

/** Who is calling: a person, or an API token on behalf of its owner. */
export interface Session {
  /** The person, or the owner of the token. */
  readonly user: typeof appUser.$inferSelect;
  /** The API token of this call; undefined when a person signed in. */
  readonly token: typeof token.$inferSelect | undefined;
  /** How the person signed in; undefined for an API token. */
  readonly signIn: SignedIn | undefined;
  /** Name that the calling program gives itself; empty when it gives none. */
  readonly client: string;
  /** Organizations that the person, or the owner, is a member of, by identifier. */
  readonly memberships: readonly Membership[];
  /** Roles that the person tries out instead of their own, by organization. */
  readonly overrides: ReadonlyMap<string, readonly string[]>;
  readonly userPermissions: ReadonlySet<UserPermissionName>;
  readonly supportPermissions: ReadonlySet<SupportPermissionName>;
}

export interface SignedIn {
  /** Of the row in `sign_in`. */
  readonly id: string;
  /** The identity provider's name for the way in: `password`, `google.com`. */
  readonly provider: string;
  readonly emailVerified: boolean;
  /** When the ID token of this call expires; another one may prove the same sign-in by then. */
  readonly expiresAt: Date;
}

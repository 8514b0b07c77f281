import type { appUser } from '../db/schema/user.ts';
import type { token } from '../db/schema/token.ts';
import type { SupportPermissionName, UserPermissionName } from '../policies/permissions.ts';

export interface Membership {
  organization: string;
  /** Role identifiers. */
  roles: readonly string[];
}

/** Who is calling: a person, or an API token on behalf of its owner. */
export interface Session {
  /** The person, or the owner of the token. */
  user: typeof appUser.$inferSelect;
  /** The API token of this call; undefined when a person signed in. */
  token: typeof token.$inferSelect | undefined;
  /** Organizations that the person, or the owner, is a member of, by identifier. */
  memberships: readonly Membership[];
  userPermissions: ReadonlySet<UserPermissionName>;
  supportPermissions: ReadonlySet<SupportPermissionName>;
}

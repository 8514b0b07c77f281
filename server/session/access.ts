import { and, or, sql, type SQL } from 'drizzle-orm';

import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import { organization } from '#server/db/schema/organization.ts';
import {
  organizationPermissionsOf,
  type OrganizationPermissionName,
  withIncluded,
} from '#server/policies/permissions.ts';
import { permissionsOfRoles } from '#server/policies/roles.ts';

import { withOverride } from './overrides.ts';
import type { Session } from './session.ts';

/** A user's or token's access to one organization. */
export interface Access {
  /** Role identifiers. */
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<OrganizationPermissionName>;
  /** True if access comes only from customer support because no membership reaches the organization. */
  readonly isSupportAccess: boolean;
}

/** True for support staff, who may act for every organization (contract: Permissions). */
const isSupport = (session: Session): boolean => session.supportPermissions.has('CUSTOMER_SUPPORT');

/**
 * Returns the organizations that a session may act in, as a condition on rows of `organization`.
 *
 * A user reaches the organizations that they are a member of and all their descendants; support staff reach every
 * organization. A token reaches its own organization and the descendants that `limit_impersonation` allows. An empty
 * limit allows none. An absent limit allows all of them; the contract does not define this case (TokenService, Filter).
 *
 * A PERSONAL token reaches only organizations that its owner reaches, so it is useless after its owner's membership
 * ends. A SPECIFIC token then stays valid (contract: Remove).
 */
export const accessible = (session: Session): SQL => toSql(reachOf(session));

/** Checks the same condition for an organization that was already read. */
export const canReach = (session: Session, organization: OrganizationInTree): boolean =>
  includes(reachOf(session), organization);

interface OrganizationInTree {
  readonly id: string;
  /** The organization and its ancestors. */
  readonly path: readonly string[];
}

/** A set of organizations. */
type Reach =
  | 'all'
  /** These organizations. */
  | { readonly ids: readonly string[] }
  /** These organizations and their descendants. */
  | { readonly withDescendants: readonly string[] }
  | { readonly not: Reach }
  | { readonly and: readonly Reach[] }
  | { readonly or: readonly Reach[] };

function reachOf(session: Session): Reach {
  const { token } = session;
  if (token === undefined) return reachOfUser(session);
  const reach: Reach = isSupport(session) ? 'all' : { withDescendants: [token.organization] };
  const ownerReach: Reach = token.type === Token_Type.PERSONAL ? reachOfUser(session) : 'all';
  return { and: [{ or: [{ ids: [token.organization] }, { and: [reach, limitOf(token)] }] }, ownerReach] };
}

/** Returns the organizations that the user can reach, regardless of a token's limits. */
const reachOfUser = (session: Session): Reach =>
  isSupport(session) ? 'all' : { withDescendants: session.memberships.map((membership) => membership.organization) };

function limitOf({ limitImpersonation }: NonNullable<Session['token']>): Reach {
  if (limitImpersonation === null) return 'all';
  const { includeAll, include, exclude } = limitImpersonation;
  return { and: [includeAll ? 'all' : { ids: include }, { not: { ids: exclude } }] };
}

function toSql(reach: Reach): SQL {
  if (reach === 'all') return sql`true`;
  if ('ids' in reach) return anyOf(organization.id, reach.ids);
  if ('withDescendants' in reach) return sql`${organization.path} && ${sql.param([...reach.withDescendants])}::text[]`;
  if ('not' in reach) return sql`not ${toSql(reach.not)}`;
  const parts = 'and' in reach ? and(...reach.and.map(toSql)) : or(...reach.or.map(toSql));
  return parts ?? sql`false`;
}

function includes(reach: Reach, candidate: OrganizationInTree): boolean {
  if (reach === 'all') return true;
  if ('ids' in reach) return reach.ids.includes(candidate.id);
  if ('withDescendants' in reach) return reach.withDescendants.some((id) => candidate.path.includes(id));
  if ('not' in reach) return !includes(reach.not, candidate);
  return 'and' in reach
    ? reach.and.every((part) => includes(part, candidate))
    : reach.or.some((part) => includes(part, candidate));
}

/**
 * Returns a session's access to an organization that it may act in.
 *
 * In a descendant, a member holds the roles from all memberships in its ancestors. The contract states that descendants
 * are accessible, but doesn't define the permissions in them. Support staff who hold no membership there or in an
 * ancestor have the `support` role, which has every organization permission. A SPECIFIC token has the same permissions
 * everywhere.
 *
 * @param path the organization and its ancestors
 */
export function accessIn(session: Session, id: string, path: readonly string[]): Access {
  const { token, memberships } = session;
  if (token?.type === Token_Type.SPECIFIC) {
    const grantedPermissions = withIncluded(organizationPermissionsOf(token.organizationPermissions));
    return {
      roles: token.roles,
      permissions: new Set([...grantedPermissions, ...permissionsOfRoles(token.roles)]),
      isSupportAccess: false,
    };
  }
  // A membership whose rules the sign-in breaks grants nothing.
  const applicableMemberships = memberships.filter(
    (membership) => path.includes(membership.organization) && membership.blockedReason === undefined,
  );
  if (applicableMemberships.length === 0 && isSupport(session)) {
    return { roles: ['support'], permissions: permissionsOfRoles(['support']), isSupportAccess: true };
  }
  const roles = [...new Set(applicableMemberships.flatMap((membership) => membership.roles))];
  return { ...withOverride(session, id, roles), isSupportAccess: false };
}

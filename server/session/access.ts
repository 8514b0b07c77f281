import { and, arrayOverlaps, eq, or, sql, type SQL } from 'drizzle-orm';
import { anyOf, noneOf } from '#server/db/any-of.ts';
import { organization } from '#server/db/schema/organization.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import {
  organizationPermissionsOf,
  type OrganizationPermissionName,
  withIncluded,
} from '#server/policies/permissions.ts';
import { permissionsOfRoles } from '#server/policies/roles.ts';
import { withOverride } from './overrides.ts';
import type { Session } from './session.ts';

/** What somebody may do in one organization. */
export interface Access {
  /** Role identifiers. */
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<OrganizationPermissionName>;
  /** By customer support alone: no membership reaches the organization. */
  readonly supporting: boolean;
}

/** Support staff may act for every organization (contract: Permissions). */
const isSupport = (session: Session): boolean => session.supportPermissions.has('CUSTOMER_SUPPORT');

/**
 * The organizations that a session may act in, as a condition on rows of `organization`: for a person those they are a
 * member of and all descendants; for a token its own and the descendants that `limit_impersonation` leaves. Without
 * that limit a token reaches all descendants, and with an empty one none (contract: TokenService, Filter; what an
 * absent limit means is not stated). Customer support reaches every organization. A PERSONAL token reaches nothing that
 * its owner does not: it is of no use once they are no member any more, while a SPECIFIC one goes on (contract:
 * Remove).
 */
export function accessible(session: Session): SQL {
  const { token } = session;
  if (token === undefined) return withinReach(session);
  const reach = isSupport(session) ? sql`true` : arrayOverlaps(organization.path, [token.organization]);
  const limit = token.limitImpersonation;
  const within = limit === null ? undefined : limitedTo(limit.includeAll, limit.include, limit.exclude);
  const owners = token.type === Token_Type.PERSONAL ? withinReach(session) : undefined;
  return and(or(eq(organization.id, token.organization), and(reach, within)), owners) ?? sql`false`;
}

/** What the person may act in, without a token's limits. */
function withinReach(session: Session): SQL {
  if (isSupport(session)) return sql`true`;
  const homes = session.memberships.map((membership) => membership.organization);
  return homes.length === 0 ? sql`false` : arrayOverlaps(organization.path, homes);
}

function limitedTo(includeAll: boolean, include: string[], exclude: string[]): SQL | undefined {
  const opened = includeAll ? undefined : include.length === 0 ? sql`false` : anyOf(organization.id, include);
  return and(opened, exclude.length === 0 ? undefined : noneOf(organization.id, exclude));
}

/**
 * What a session holds in an organization that it may act in.
 *
 * In a descendant a member holds the roles of all memberships above it: the contract says that descendants are
 * accessible, and not with which rights. Customer support, where they are no member, holds the `support` role, which
 * has every organization permission. A SPECIFIC token holds the same everywhere.
 *
 * @param path the organization and its ancestors
 */
export function accessIn(session: Session, id: string, path: readonly string[]): Access {
  const { token, memberships } = session;
  if (token?.type === Token_Type.SPECIFIC) {
    const listed = withIncluded(organizationPermissionsOf(token.organizationPermissions));
    return {
      roles: token.roles,
      permissions: new Set([...listed, ...permissionsOfRoles(token.roles)]),
      supporting: false,
    };
  }
  // A membership whose rules the sign-in breaks gives nothing.
  const through = memberships.filter(
    (membership) => path.includes(membership.organization) && membership.barred === undefined,
  );
  if (through.length === 0 && isSupport(session)) {
    return { roles: ['support'], permissions: permissionsOfRoles(['support']), supporting: true };
  }
  const roles = [...new Set(through.flatMap((membership) => membership.roles))];
  return { ...withOverride(session, id, roles), supporting: false };
}

import { and, arrayOverlaps, eq, or, sql, type SQL } from 'drizzle-orm';

import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { anyOf, noneOf } from '#server/db/any-of.ts';
import { organization } from '#server/db/schema/organization.ts';
import {
  organizationPermissionsOf,
  type OrganizationPermissionName,
  withIncluded,
} from '#server/policies/permissions.ts';
import { permissionsOfRoles } from '#server/policies/roles.ts';

import { withOverride } from './overrides.ts';
import type { Session } from './session.ts';

/** A person's or token's rights in one organization. */
export interface Access {
  /** Role identifiers. */
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<OrganizationPermissionName>;
  /** True if access comes only from customer support: no membership reaches the organization. */
  readonly asSupport: boolean;
}

/** Support staff may act for every organization (contract: Permissions). */
const isSupport = (session: Session): boolean => session.supportPermissions.has('CUSTOMER_SUPPORT');

/**
 * The organizations that a session may act in, as a condition on rows of `organization`. For a person: those they are a
 * member of, with all descendants. For a token: its own, with the descendants allowed by `limit_impersonation`. Without
 * that limit a token reaches all descendants, and with an empty one none (contract: TokenService, Filter; the meaning
 * of an absent limit is not stated). Customer support reaches every organization. A PERSONAL token reaches only what
 * its owner does, so it is useless once they are no longer a member, while a SPECIFIC one stays valid (contract:
 * Remove).
 */
export function accessible(session: Session): SQL {
  const { token } = session;
  if (token === undefined) return withinReach(session);
  const reach = isSupport(session) ? sql`true` : arrayOverlaps(organization.path, [token.organization]);
  const limit = token.limitImpersonation;
  const within = limit === null ? undefined : withinLimit(limit.includeAll, limit.include, limit.exclude);
  const owners = token.type === Token_Type.PERSONAL ? withinReach(session) : undefined;
  return and(or(eq(organization.id, token.organization), and(reach, within)), owners) ?? sql`false`;
}

/** The organizations in the person's reach, without a token's limits. */
function withinReach(session: Session): SQL {
  if (isSupport(session)) return sql`true`;
  const homes = session.memberships.map((membership) => membership.organization);
  return homes.length === 0 ? sql`false` : arrayOverlaps(organization.path, homes);
}

function withinLimit(includeAll: boolean, include: string[], exclude: string[]): SQL | undefined {
  const included = includeAll ? undefined : include.length === 0 ? sql`false` : anyOf(organization.id, include);
  return and(included, exclude.length === 0 ? undefined : noneOf(organization.id, exclude));
}

/**
 * The rights of a session in an organization that it may act in.
 *
 * In a descendant, a member holds the roles of all memberships above it: the contract says that descendants are
 * accessible, but not with which rights. Customer support, where they are not a member, holds the `support` role, which
 * has every organization permission. A SPECIFIC token holds the same rights everywhere.
 *
 * @param path the organization and its ancestors
 */
export function accessIn(session: Session, id: string, path: readonly string[]): Access {
  const { token, memberships } = session;
  if (token?.type === Token_Type.SPECIFIC) {
    const granted = withIncluded(organizationPermissionsOf(token.organizationPermissions));
    return {
      roles: token.roles,
      permissions: new Set([...granted, ...permissionsOfRoles(token.roles)]),
      asSupport: false,
    };
  }
  // A membership whose rules the sign-in breaks grants nothing.
  const reaching = memberships.filter(
    (membership) => path.includes(membership.organization) && membership.barred === undefined,
  );
  if (reaching.length === 0 && isSupport(session)) {
    return { roles: ['support'], permissions: permissionsOfRoles(['support']), asSupport: true };
  }
  const roles = [...new Set(reaching.flatMap((membership) => membership.roles))];
  return { ...withOverride(session, id, roles), asSupport: false };
}

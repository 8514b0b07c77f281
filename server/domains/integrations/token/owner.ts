import { arrayContains, eq, and, sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { permissionsOfRoles, supportPermissionsOfRoles } from '#server/policies/roles.ts';

import type { Holder } from './grants.ts';

/**
 * Loads a token's owner, with the permissions of their memberships in the organization and its ancestors. Omits user
 * permissions, which only the owner can grant.
 *
 * @returns undefined for someone without a membership in any of these organizations
 */
export async function loadOwner(db: Executor, organizationId: string, userId: string): Promise<Holder | undefined> {
  const rows = await db
    .select({ name: appUser.name, email: appUser.email, roles: membership.roles })
    .from(organization)
    .innerJoin(membership, arrayContains(organization.path, sql`array[${membership.organization}]`))
    .innerJoin(appUser, eq(appUser.id, membership.userId))
    .where(and(eq(organization.id, organizationId), eq(membership.userId, userId)));
  const [owner] = rows;
  if (owner === undefined) return undefined;
  const roles = rows.flatMap((row) => row.roles);
  const permissions: ReadonlySet<string> = new Set([...permissionsOfRoles(roles), ...supportPermissionsOfRoles(roles)]);
  return { subject: `${owner.name || owner.email} does`, can: (permission) => permissions.has(permission) };
}

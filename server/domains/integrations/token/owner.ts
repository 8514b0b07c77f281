import { arrayContains, eq, and, sql } from 'drizzle-orm';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { permissionsOfRoles, supportPermissionsOfRoles } from '#server/policies/roles.ts';
import type { Party } from './grants.ts';

/**
 * The owner of a token as somebody who must hold what it is given, with what their memberships give in the
 * organization, also those above it. User permissions are not among it: those are nobody else's to give.
 *
 * @returns undefined for somebody who does not belong to the organization, or not any more
 */
export async function ownerAsParty(db: Executor, home: string, userId: string): Promise<Party | undefined> {
  const rows = await db
    .select({ name: appUser.name, email: appUser.email, roles: membership.roles })
    .from(organization)
    .innerJoin(membership, arrayContains(organization.path, sql`array[${membership.organization}]`))
    .innerJoin(appUser, eq(appUser.id, membership.userId))
    .where(and(eq(organization.id, home), eq(membership.userId, userId)));
  const first = rows[0];
  if (first === undefined) return undefined;
  const roles = rows.flatMap((row) => row.roles);
  const held: ReadonlySet<string> = new Set([...permissionsOfRoles(roles), ...supportPermissionsOfRoles(roles)]);
  return { who: `${first.name || first.email} does`, can: (permission) => held.has(permission) };
}

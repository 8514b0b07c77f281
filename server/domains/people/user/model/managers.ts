import { and, arrayOverlaps, asc, eq, inArray, isNull, sql } from 'drizzle-orm';

import type { Executor, Tx } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { roles } from '#server/policies/roles.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

/** Roles that allow managing an organization's users. */
const managerRoles = roles.filter((role) => role.permissions.includes('USERS_MANAGE')).map((role) => role.identifier);

/** Memberships that allow managing the organization's users, in the organization itself or in an ancestor. */
const managesUsersOf = (id: string) =>
  and(
    inArray(
      membership.organization,
      sql`(select unnest(${organization.path}) from ${organization} where ${organization.id} = ${id})`,
    ),
    arrayOverlaps(membership.roles, managerRoles),
    isNull(membership.suspendedAt),
  );

export interface Manager {
  readonly name: string;
  readonly email: string;
}

/** Finds the administrators to notify, in the organization itself or in its nearest ancestor with an administrator. */
export async function findManagers(orm: Executor, id: string): Promise<Manager[]> {
  const rows = await orm
    .select({ name: appUser.name, email: appUser.email, depth: sql<number>`cardinality(${organization.path})` })
    .from(membership)
    .innerJoin(appUser, eq(appUser.id, membership.userId))
    .innerJoin(organization, eq(organization.id, membership.organization))
    .where(managesUsersOf(id))
    .orderBy(asc(appUser.id));
  const nearest = Math.max(...rows.map((row) => row.depth));
  return rows.filter((row) => row.depth === nearest);
}

/**
 * Runs a change that can remove administrators, and rolls it back if it leaves nobody to manage the users.
 *
 * @throws ConnectError FAILED_PRECONDITION
 */
export async function ensureManagerRemains<T>(tx: Tx, id: string, change: () => Promise<T>): Promise<T> {
  // Lock the memberships, so two administrators can't remove each other concurrently.
  const before = await tx
    .select({ id: membership.userId })
    .from(membership)
    .where(managesUsersOf(id))
    .orderBy(asc(membership.organization), asc(membership.userId))
    .for('update');
  const result = await change();
  if (before.length > 0 && (await findManagers(tx, id)).length === 0) {
    throw failedPrecondition(
      `This would leave nobody to manage the users of "${id}". Make someone else an administrator first.`,
    );
  }
  return result;
}

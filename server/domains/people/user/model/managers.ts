import { and, arrayOverlaps, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Executor, Tx } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { roles } from '#server/policies/roles.ts';
import { failedPrecondition } from '#server/wire/errors.ts';

/** Roles whose holders manage the users of an organization: its administrators, by whatever name. */
const managing = roles.filter((role) => role.permissions.includes('USERS_MANAGE')).map((role) => role.identifier);

/** Memberships that let somebody manage the organization's users, there or from above. */
const manage = (id: string) =>
  and(
    inArray(
      membership.organization,
      sql`(select unnest(${organization.path}) from ${organization} where ${organization.id} = ${id})`,
    ),
    arrayOverlaps(membership.roles, managing),
    isNull(membership.suspendedAt),
  );

export interface Manager {
  readonly name: string;
  readonly email: string;
}

/** The administrators to tell of something: the organization's own, or of the nearest one above that has any. */
export async function managersOf(orm: Executor, id: string): Promise<Manager[]> {
  const rows = await orm
    .select({ name: appUser.name, email: appUser.email, depth: sql<number>`cardinality(${organization.path})` })
    .from(membership)
    .innerJoin(appUser, eq(appUser.id, membership.userId))
    .innerJoin(organization, eq(organization.id, membership.organization))
    .where(manage(id))
    .orderBy(asc(appUser.id));
  const nearest = Math.max(...rows.map((row) => row.depth));
  return rows.filter((row) => row.depth === nearest);
}

/**
 * Does something that may take an administrator away, and undoes it when nobody would be left to manage the users.
 *
 * @throws ConnectError FAILED_PRECONDITION
 */
export async function keepingAManager<T>(tx: Tx, id: string, change: () => Promise<T>): Promise<T> {
  // Locked, so that two administrators cannot remove each other at the same time.
  const before = await tx
    .select({ id: membership.userId })
    .from(membership)
    .where(manage(id))
    .orderBy(asc(membership.organization), asc(membership.userId))
    .for('update');
  const result = await change();
  if (before.length > 0 && (await managersOf(tx, id)).length === 0) {
    throw failedPrecondition(
      `Nobody would be left to manage the users of "${id}": make somebody else an administrator first.`,
    );
  }
  return result;
}

import { and, asc, eq } from 'drizzle-orm';

import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { describeMissing, invalidArgument, notFound } from '#server/wire/errors.ts';

export type UserRow = typeof appUser.$inferSelect;
export type MembershipRow = typeof membership.$inferSelect;

export interface Member {
  readonly user: UserRow;
  readonly membership: MembershipRow;
}

/**
 * Returns the requested ids without duplicates.
 *
 * @throws ConnectError INVALID_ARGUMENT if the list is empty
 */
export function requireIds(userIds: readonly string[]): string[] {
  const ids = [...new Set(userIds.map((id) => id.trim()).filter((id) => id !== ''))];
  if (ids.length === 0) throw invalidArgument("Specify the users' ids.");
  return ids;
}

/**
 * Finds an organization's members with the given ids, ordered by id.
 *
 * @throws ConnectError NOT_FOUND, naming the ids that aren't members, without revealing memberships in other
 *   organizations
 */
export async function findMembers(orm: Executor, organization: string, userIds: readonly string[]): Promise<Member[]> {
  const ids = requireIds(userIds);
  const rows = await orm
    .select({ user: appUser, membership })
    .from(membership)
    .innerJoin(appUser, eq(appUser.id, membership.userId))
    .where(and(eq(membership.organization, organization), anyOf(membership.userId, ids)))
    .orderBy(asc(membership.userId));
  requireAll(
    organization,
    ids,
    rows.map(({ user }) => user.id),
  );
  return rows;
}

/** Like {@link findMembers}, but locks the memberships until the transaction ends. */
export async function lockMembers(tx: Tx, organization: string, userIds: readonly string[]): Promise<Member[]> {
  await tx
    .select({ id: membership.userId })
    .from(membership)
    .where(and(eq(membership.organization, organization), anyOf(membership.userId, requireIds(userIds))))
    .orderBy(asc(membership.userId))
    .for('update');
  return findMembers(tx, organization, userIds);
}

function requireAll(organization: string, requestedIds: readonly string[], memberIds: readonly string[]): void {
  const missingIds = requestedIds.filter((id) => !memberIds.includes(id));
  if (missingIds.length > 0)
    throw notFound(`"${organization}" has ${describeMissing('member with id', missingIds, 'members with ids')}.`);
}

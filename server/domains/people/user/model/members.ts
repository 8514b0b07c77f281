import { and, asc, eq } from 'drizzle-orm';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { invalidArgument, notFound, some } from '#server/wire/errors.ts';

export type UserRow = typeof appUser.$inferSelect;
export type MembershipRow = typeof membership.$inferSelect;

export interface Member {
  readonly user: UserRow;
  readonly membership: MembershipRow;
}

/** @throws ConnectError INVALID_ARGUMENT when none are named */
export function idsNamed(userIds: readonly string[]): string[] {
  const ids = [...new Set(userIds.map((id) => id.trim()).filter((id) => id !== ''))];
  if (ids.length === 0) throw invalidArgument('Name the users by their ids.');
  return ids;
}

/**
 * Members of an organization by their ids, in order of id.
 *
 * @throws ConnectError NOT_FOUND, naming the ids that are no member of it; who is a member elsewhere is not told
 */
export async function membersNamed(orm: Executor, organization: string, userIds: readonly string[]): Promise<Member[]> {
  const ids = idsNamed(userIds);
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

/** As {@link membersNamed}, with their memberships locked until the transaction ends. */
export async function membersForUpdate(tx: Tx, organization: string, userIds: readonly string[]): Promise<Member[]> {
  await tx
    .select({ id: membership.userId })
    .from(membership)
    .where(and(eq(membership.organization, organization), anyOf(membership.userId, idsNamed(userIds))))
    .orderBy(asc(membership.userId))
    .for('update');
  return membersNamed(tx, organization, userIds);
}

function requireAll(organization: string, asked: readonly string[], found: readonly string[]): void {
  const missing = asked.filter((id) => !found.includes(id));
  if (missing.length > 0) throw notFound(`There is no member ${some(missing)} in "${organization}".`);
}

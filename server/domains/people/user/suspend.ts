import { and, eq, ne } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { membership } from '#server/db/schema/user.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { failedPrecondition, summarizeList } from '#server/wire/errors.ts';

import { ensureManagerRemains } from './model/managers.ts';
import { lockMembers, type Member } from './model/members.ts';

/**
 * Blocks the sign-ins of members in a single transaction. Their tokens stay valid. Callers can't suspend themselves,
 * because they couldn't undo it.
 *
 * @throws ConnectError NOT_FOUND, FAILED_PRECONDITION
 */
export async function suspend(app: App, caller: Scope, userIds: readonly string[]): Promise<void> {
  const { organization } = caller;
  await app.db.transaction((tx) =>
    ensureManagerRemains(tx, organization, async () => {
      const members = await lockMembers(tx, organization, userIds);
      if (members.some(({ user }) => user.id === caller.session.user.id)) {
        throw failedPrecondition("You can't suspend yourself.");
      }
      await requireNoOtherOrganization(tx, organization, members);
      await setSuspended(tx, organization, members, app.now());
    }),
  );
}

export async function unsuspend(app: App, { organization }: Scope, userIds: readonly string[]): Promise<void> {
  await app.db.transaction(async (tx) => {
    await setSuspended(tx, organization, await lockMembers(tx, organization, userIds), null);
  });
}

/**
 * Requires that the users belong to no other organization, because a suspension blocks sign-ins everywhere (contract:
 * Suspend).
 *
 * @throws ConnectError FAILED_PRECONDITION, without revealing their other memberships
 */
export async function requireNoOtherOrganization(
  orm: Executor,
  organization: string,
  members: readonly Member[],
): Promise<void> {
  const ids = members.map(({ user }) => user.id);
  const otherMemberships = await orm
    .select({ id: membership.userId })
    .from(membership)
    .where(and(anyOf(membership.userId, ids), ne(membership.organization, organization)));
  const membersElsewhere = members.filter(({ user }) => otherMemberships.some(({ id }) => id === user.id));
  if (membersElsewhere.length === 0) return;
  const names = summarizeList(membersElsewhere.map(({ user }) => user.name || user.email));
  throw failedPrecondition(
    `${names} also ${membersElsewhere.length === 1 ? 'belongs' : 'belong'} to another organization, where you can't end their access. Remove them from "${organization}" instead.`,
  );
}

async function setSuspended(
  tx: Tx,
  organization: string,
  members: readonly Member[],
  suspendedAt: Date | null,
): Promise<void> {
  // Members who are already suspended keep the original time.
  const ids = members
    .filter((member) => suspendedAt === null || member.membership.suspendedAt === null)
    .map(({ user }) => user.id);
  await tx
    .update(membership)
    .set({ suspendedAt })
    .where(and(eq(membership.organization, organization), anyOf(membership.userId, ids)));
  announceAccessChanged(tx, ids.map(accessSubject.signIns));
}

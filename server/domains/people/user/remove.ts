import { and, eq, or, sql } from 'drizzle-orm';

import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import type { RemoveUserRequest } from '#proto/gen/hiber/user_pb.ts';
import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { emailPreference } from '#server/db/schema/mail.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { deleteTokens } from '#server/domains/integrations/token/parent.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { recordEvents } from '#server/events/record.ts';
import type { Scope } from '#server/session/scope.ts';
import { notFound, summarizeList } from '#server/wire/errors.ts';

import { userRemoved } from './model/events.ts';
import { ensureManagerRemains } from './model/managers.ts';
import { requireIds } from './model/members.ts';

/**
 * Removes members and pending requests in a single transaction. Members can remove themselves, but nobody can remove
 * the last administrator.
 *
 * @throws ConnectError NOT_FOUND, naming the ids with neither a membership nor a request; FAILED_PRECONDITION
 */
export async function removeUsers(app: App, { organization }: Scope, request: RemoveUserRequest): Promise<void> {
  const ids = requireIds(request.userIds);
  const now = app.now();
  await app.db.transaction(async (tx) => {
    const removedIds = await ensureManagerRemains(tx, organization, async () => {
      const members = await tx
        .delete(membership)
        .where(and(eq(membership.organization, organization), anyOf(membership.userId, ids)))
        .returning({ id: membership.userId });
      return members.map(({ id }) => id);
    });
    const rejectedRequests = await tx
      .delete(accessRequest)
      .where(and(eq(accessRequest.organization, organization), anyOf(accessRequest.userId, ids)))
      .returning({ id: accessRequest.userId });
    const affectedIds = new Set([...removedIds, ...rejectedRequests.map(({ id }) => id)]);
    const missingIds = ids.filter((id) => !affectedIds.has(id));
    if (missingIds.length > 0) {
      throw notFound(
        `"${organization}" has no member and no request to join with the ${missingIds.length === 1 ? 'id' : 'ids'} ${summarizeList(missingIds)}.`,
      );
    }
    if (removedIds.length === 0) return;
    announceAccessChanged(tx, removedIds.map(accessSubject.user));
    await deleteMemberData(tx, organization, removedIds);
    await deleteMemberTokens(tx, organization, removedIds, request.removeAllTokens === true, now);
    const people = await tx.select().from(appUser).where(anyOf(appUser.id, removedIds)).orderBy(appUser.id);
    await recordEvents(
      tx,
      people.map((user) => userRemoved(organization, user, now)),
    );
  });
}

/** Deletes the users' data in an organization, except for their memberships. */
export async function deleteMemberData(tx: Tx, organization: string, ids: readonly string[]): Promise<void> {
  for (const table of [roleOverride, emailPreference]) {
    await tx.delete(table).where(and(eq(table.organization, organization), anyOf(table.userId, [...ids])));
  }
  await tx
    .update(appUser)
    .set({ defaultOrganization: null })
    .where(and(anyOf(appUser.id, [...ids]), eq(appUser.defaultOrganization, organization)));
}

/** A PERSONAL token holds all user permissions without listing any. */
const holdsUserPermissions = or(eq(token.type, Token_Type.PERSONAL), sql`cardinality(${token.userPermissions}) > 0`);

async function deleteMemberTokens(
  tx: Tx,
  organization: string,
  owners: readonly string[],
  removesAll: boolean,
  now: Date,
): Promise<void> {
  const belongsToOwners = and(eq(token.organization, organization), anyOf(token.userId, [...owners]));
  const rows = await tx
    .select()
    .from(token)
    .where(and(belongsToOwners, removesAll ? undefined : holdsUserPermissions))
    .orderBy(token.id)
    .for('update');
  await deleteTokens(tx, rows, now);
}

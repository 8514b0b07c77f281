import { and, eq, or, sql } from 'drizzle-orm';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import type { RemoveUserRequest } from '#proto/gen/hiber/user_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { emailPreference } from '#server/db/schema/mail.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import { recordEvents } from '#server/events/record.ts';
import { userRemoved } from './model/events.ts';
import type { Scope } from '#server/session/scope.ts';
import { notFound, some } from '#server/wire/errors.ts';
import { deleteTokens } from '#server/domains/integrations/token/parent.ts';
import { keepingAManager } from './model/managers.ts';
import { idsNamed } from './model/members.ts';

/**
 * Drops members and pending requests, all or none. Members may remove themselves; the last administrator may not be
 * removed, by themselves neither.
 *
 * @throws ConnectError NOT_FOUND, naming the ids that are no member and have no request; FAILED_PRECONDITION
 */
export async function removeUsers(app: App, { organization }: Scope, request: RemoveUserRequest): Promise<void> {
  const ids = idsNamed(request.userIds);
  const now = app.now();
  await app.db.transaction(async (tx) => {
    const dropped = await keepingAManager(tx, organization, async () => {
      const members = await tx
        .delete(membership)
        .where(and(eq(membership.organization, organization), anyOf(membership.userId, ids)))
        .returning({ id: membership.userId });
      return members.map(({ id }) => id);
    });
    const rejected = await tx
      .delete(accessRequest)
      .where(and(eq(accessRequest.organization, organization), anyOf(accessRequest.userId, ids)))
      .returning({ id: accessRequest.userId });
    const found = new Set([...dropped, ...rejected.map(({ id }) => id)]);
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      throw notFound(`${some(missing)} is no member of "${organization}" and does not ask to join.`);
    }
    if (dropped.length === 0) return;
    tellRightsChanged(tx, dropped.map(rightsOf.user));
    await forget(tx, organization, dropped);
    await deleteTokensOf(tx, organization, dropped, request.removeAllTokens === true, now);
    const people = await tx.select().from(appUser).where(anyOf(appUser.id, dropped)).orderBy(appUser.id);
    await recordEvents(
      tx,
      people.map((user) => userRemoved(organization, user, now)),
    );
  });
}

/** What somebody has in an organization besides their membership. */
export async function forget(tx: Tx, organization: string, ids: readonly string[]): Promise<void> {
  for (const table of [roleOverride, emailPreference]) {
    await tx.delete(table).where(and(eq(table.organization, organization), anyOf(table.userId, [...ids])));
  }
  await tx
    .update(appUser)
    .set({ defaultOrganization: null })
    .where(and(anyOf(appUser.id, [...ids]), eq(appUser.defaultOrganization, organization)));
}

/** A PERSONAL token has all user permissions without listing any. */
const holdsUserPermissions = or(eq(token.type, Token_Type.PERSONAL), sql`cardinality(${token.userPermissions}) > 0`);

async function deleteTokensOf(
  tx: Tx,
  organization: string,
  owners: readonly string[],
  all: boolean,
  now: Date,
): Promise<void> {
  const here = and(eq(token.organization, organization), anyOf(token.userId, [...owners]));
  const rows = await tx
    .select()
    .from(token)
    .where(and(here, all ? undefined : holdsUserPermissions))
    .orderBy(token.id)
    .for('update');
  await deleteTokens(tx, rows, now);
}

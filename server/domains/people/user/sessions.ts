import { and, isNull } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { appUser } from '#server/db/schema/user.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import type { Scope } from '#server/session/scope.ts';

import { findMembers } from './model/members.ts';

/** Ends all sign-ins of the members, on every device; their tokens stay valid (contract: RevokeSession). */
export async function revokeSessions(app: App, { organization }: Scope, userIds: readonly string[]): Promise<void> {
  await app.db.transaction(async (tx) => {
    const members = await findMembers(tx, organization, userIds);
    await endSignIns(
      tx,
      members.map(({ user }) => user.id),
      app.now(),
    );
  });
}

/**
 * Ends all sign-ins of the users, including sign-ins that have made no call to this server yet.
 *
 * @returns the number of ended sign-ins that have made a call
 */
export async function endSignIns(tx: Tx, userIds: string[], now: Date): Promise<number> {
  await tx.update(appUser).set({ sessionsRevokedAt: now }).where(anyOf(appUser.id, userIds));
  const endedSignIns = await tx
    .update(signIn)
    .set({ revokedAt: now })
    .where(and(anyOf(signIn.userId, userIds), isNull(signIn.revokedAt)))
    .returning({ id: signIn.id });
  announceAccessChanged(tx, userIds.map(accessSubject.signIns));
  return endedSignIns.length;
}

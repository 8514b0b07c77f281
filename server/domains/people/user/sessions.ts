import { and, isNull } from 'drizzle-orm';
import { anyOf } from '#server/db/any-of.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { appUser } from '#server/db/schema/user.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import type { Scope } from '#server/session/scope.ts';
import { membersNamed } from './model/members.ts';

/** Members must sign in anew, wherever they are signed in; their tokens go on (contract: RevokeSession). */
export async function revokeSessions(app: App, { organization }: Scope, userIds: readonly string[]): Promise<void> {
  await app.db.transaction(async (tx) => {
    const members = await membersNamed(tx, organization, userIds);
    await endSignIns(
      tx,
      members.map(({ user }) => user.id),
      app.now(),
    );
  });
}

/** Also ends those that were never used here. @returns how many ended of those that were */
export async function endSignIns(tx: Tx, userIds: string[], now: Date): Promise<number> {
  await tx.update(appUser).set({ sessionsRevokedAt: now }).where(anyOf(appUser.id, userIds));
  const ended = await tx
    .update(signIn)
    .set({ revokedAt: now })
    .where(and(anyOf(signIn.userId, userIds), isNull(signIn.revokedAt)))
    .returning({ id: signIn.id });
  tellRightsChanged(tx, userIds.map(rightsOf.signIns));
  return ended.length;
}

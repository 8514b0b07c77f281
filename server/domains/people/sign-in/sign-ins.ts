import { create } from '@bufbuild/protobuf';
import { and, asc, desc, eq, gt, isNull, ne, type SQL } from 'drizzle-orm';

import { type SignIn, SignInSchema } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import type { appUser } from '#server/db/schema/user.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { notFound, summarizeList } from '#server/wire/errors.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** Matches the user's sign-ins that haven't been revoked. */
const isActive = (userId: string): SQL | undefined => and(eq(signIn.userId, userId), isNull(signIn.revokedAt));

/**
 * Lists a user's sign-ins.
 *
 * @param currentId the id of the sign-in that authenticates the call; undefined for an API token
 */
export async function listSignIns(
  orm: Executor,
  user: Pick<typeof appUser.$inferSelect, 'id' | 'sessionsRevokedAt'>,
  currentId: string | undefined,
): Promise<SignIn[]> {
  const since = user.sessionsRevokedAt;
  const rows = await orm
    .select()
    .from(signIn)
    .where(and(isActive(user.id), since === null ? undefined : gt(signIn.signedInAt, since)))
    .orderBy(desc(signIn.signedInAt), asc(signIn.id));
  return rows.map(({ id, userId, signedInAt, lastSeenAt, client, userAgent }) =>
    create(SignInSchema, {
      id,
      userId,
      signedInAt: presentTimestamp(signedInAt),
      lastSeenAt: presentTimestamp(lastSeenAt),
      client,
      userAgent,
      current: id === currentId,
    }),
  );
}

/**
 * Revokes a user's sign-ins.
 *
 * @throws ConnectError NOT_FOUND if an id is not a sign-in of this user, before any sign-in is revoked
 */
export async function revokeSignIns(tx: Tx, userId: string, ids: readonly string[], now: Date): Promise<number> {
  const requestedIds = [...new Set(ids)];
  const existingRows = await tx
    .select({ id: signIn.id })
    .from(signIn)
    .where(and(eq(signIn.userId, userId), anyOf(signIn.id, requestedIds)));
  const missingIds = requestedIds.filter((id) => !existingRows.some((item) => item.id === id));
  if (missingIds.length > 0) throw notFound(`Unknown sign-in: ${summarizeList(missingIds)}.`);
  return revoke(tx, userId, and(isActive(userId), anyOf(signIn.id, requestedIds)), now);
}

export const revokeOthers = (tx: Tx, userId: string, currentId: string | undefined, now: Date): Promise<number> =>
  revoke(tx, userId, and(isActive(userId), currentId === undefined ? undefined : ne(signIn.id, currentId)), now);

async function revoke(tx: Tx, userId: string, where: SQL | undefined, now: Date): Promise<number> {
  const revokedRows = await tx.update(signIn).set({ revokedAt: now }).where(where).returning({ id: signIn.id });
  announceAccessChanged(
    tx,
    revokedRows.map(({ id }) => accessSubject.signIn(userId, id)),
  );
  return revokedRows.length;
}

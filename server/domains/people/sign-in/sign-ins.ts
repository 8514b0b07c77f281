import { create } from '@bufbuild/protobuf';
import { and, asc, desc, eq, gt, isNull, ne, type SQL } from 'drizzle-orm';
import { type SignIn, SignInSchema } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import type { appUser } from '#server/db/schema/user.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import { notFound, some } from '#server/wire/errors.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** Sign-ins that have not ended. */
const lasting = (userId: string): SQL | undefined => and(eq(signIn.userId, userId), isNull(signIn.revokedAt));

/** @param current id of the sign-in that the call comes from; undefined for an API token */
export async function listSignIns(
  orm: Executor,
  user: Pick<typeof appUser.$inferSelect, 'id' | 'sessionsRevokedAt'>,
  current: string | undefined,
): Promise<SignIn[]> {
  const since = user.sessionsRevokedAt;
  const rows = await orm
    .select()
    .from(signIn)
    .where(and(lasting(user.id), since === null ? undefined : gt(signIn.signedInAt, since)))
    .orderBy(desc(signIn.signedInAt), asc(signIn.id));
  return rows.map(({ id, userId, signedInAt, lastSeenAt, client, userAgent }) =>
    create(SignInSchema, {
      id,
      userId,
      signedInAt: presentTimestamp(signedInAt),
      lastSeenAt: presentTimestamp(lastSeenAt),
      client,
      userAgent,
      current: id === current,
    }),
  );
}

/** @throws ConnectError NOT_FOUND for ids that are no sign-in of that user; nothing is ended then */
export async function revokeSignIns(tx: Tx, userId: string, ids: readonly string[], now: Date): Promise<number> {
  const wanted = [...new Set(ids)];
  const known = await tx
    .select({ id: signIn.id })
    .from(signIn)
    .where(and(eq(signIn.userId, userId), anyOf(signIn.id, wanted)));
  const missing = wanted.filter((id) => !known.some((item) => item.id === id));
  if (missing.length > 0) throw notFound(`There is no sign-in ${some(missing)}.`);
  return await revoke(tx, userId, and(lasting(userId), anyOf(signIn.id, wanted)), now);
}

export const revokeOthers = (tx: Tx, userId: string, current: string | undefined, now: Date): Promise<number> =>
  revoke(tx, userId, and(lasting(userId), current === undefined ? undefined : ne(signIn.id, current)), now);

async function revoke(tx: Tx, userId: string, where: SQL | undefined, now: Date): Promise<number> {
  const ended = await tx.update(signIn).set({ revokedAt: now }).where(where).returning({ id: signIn.id });
  tellRightsChanged(
    tx,
    ended.map(({ id }) => rightsOf.signIn(userId, id)),
  );
  return ended.length;
}

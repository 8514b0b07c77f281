import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { creationToken } from '#server/db/schema/membership-request.ts';
import { queueMail } from '#server/mail/queue.ts';
import type { RoleIdentifier } from '#server/policies/roles.ts';
import { creationTokenMail } from './mails.ts';

/** How long a token can be used (not stated); as long as an invitation. */
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Tells creation tokens from API tokens, which begin with `qd_`. */
const PREFIX = 'qdc_';
const SECRET_BYTES = 24;

/** What somebody who makes an organization with a support-issued token becomes in it. */
const usualRoles: readonly RoleIdentifier[] = ['administrator'];

export type CreationToken = typeof creationToken.$inferSelect;

/** What is hashed is random, so that a plain SHA-256 leaves nothing to guess. */
const hashOf = (secret: string): Uint8Array => new Uint8Array(createHash('sha256').update(secret.trim()).digest());

/** Mails somebody a token that makes one organization; whoever holds it may use it (to whom is not stated). */
export async function issueCreationToken(
  app: Pick<App, 'db' | 'secrets' | 'now' | 'config'>,
  { email, issuedBy }: { email: string; issuedBy: string },
): Promise<{ expiresAt: Date }> {
  return app.db.transaction(async (tx) => {
    const { secret, expiresAt } = await newCreationToken(tx, { email, issuedBy, roles: usualRoles }, app.now());
    await queueMail(app, tx, [{ to: email, ...creationTokenMail(app.config.origin, secret, expiresAt) }]);
    return { expiresAt };
  });
}

/** @returns the secret, which is kept nowhere: only its hash is */
export async function newCreationToken(
  tx: Executor,
  { email, issuedBy, roles }: { email: string; issuedBy: string; roles: readonly RoleIdentifier[] },
  now: Date,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await tx
    .insert(creationToken)
    .values({ hash: hashOf(secret), email, issuedBy, roles: [...roles], createdAt: now, expiresAt });
  return { secret, expiresAt };
}

const usable = (secret: string, now: Date) =>
  and(eq(creationToken.hash, hashOf(secret)), isNull(creationToken.usedAt), gt(creationToken.expiresAt, now));

/** Whether the token can make an organization now; looking does not use it up. */
export async function isUsable(db: Executor, secret: string, now: Date): Promise<boolean> {
  const found = await db.select({ hash: creationToken.hash }).from(creationToken).where(usable(secret, now));
  return found.length > 0;
}

/**
 * Uses the token up, in the transaction that makes the organization: of two who use it at once, one waits and then
 * finds it used.
 *
 * @returns undefined for one that is unknown, used or expired
 */
export async function useCreationToken(
  tx: Tx,
  secret: string,
  organization: string,
  now: Date,
): Promise<CreationToken | undefined> {
  const [used] = await tx
    .update(creationToken)
    .set({ usedAt: now, usedFor: organization })
    .where(usable(secret, now))
    .returning();
  return used;
}

import { createHash, randomBytes } from 'node:crypto';

import { and, eq, gt, isNull } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { creationToken } from '#server/db/schema/membership-request.ts';
import { queueEmails } from '#server/mail/queue.ts';
import type { RoleIdentifier } from '#server/policies/roles.ts';

import { creationTokenMail } from './mails.ts';

/** The lifetime of a token, which is the same as for an invitation (not specified in the contract). */
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Distinguishes creation tokens from API tokens, which start with `qd_`. */
const PREFIX = 'qdc_';
const SECRET_BYTES = 24;

/** The creator's roles in the new organization, if support issued the token. */
const defaultRoles: readonly RoleIdentifier[] = ['administrator'];

export type CreationToken = typeof creationToken.$inferSelect;

/** Hashes a secret. A plain SHA-256 is enough because random secrets can't be guessed. */
const hashSecret = (secret: string): Uint8Array => new Uint8Array(createHash('sha256').update(secret.trim()).digest());

/**
 * Emails a token for creating one organization. Anyone who has the token can use it (not specified in the contract).
 */
export async function issueCreationToken(
  app: Pick<App, 'db' | 'secrets' | 'now' | 'config'>,
  { email, issuedBy }: { email: string; issuedBy: string },
): Promise<{ expiresAt: Date }> {
  return app.db.transaction(async (tx) => {
    const { secret, expiresAt } = await createCreationToken(tx, { email, issuedBy, roles: defaultRoles }, app.now());
    await queueEmails(app, tx, [{ to: email, ...creationTokenMail(app.config.origin, secret, expiresAt) }]);
    return { expiresAt };
  });
}

/** Creates a creation token and returns its secret. The database stores only the hash. */
export async function createCreationToken(
  tx: Executor,
  { email, issuedBy, roles }: { email: string; issuedBy: string; roles: readonly RoleIdentifier[] },
  now: Date,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await tx
    .insert(creationToken)
    .values({ hash: hashSecret(secret), email, issuedBy, roles: [...roles], createdAt: now, expiresAt });
  return { secret, expiresAt };
}

const usableToken = (secret: string, now: Date) =>
  and(eq(creationToken.hash, hashSecret(secret)), isNull(creationToken.usedAt), gt(creationToken.expiresAt, now));

/** True if the token can currently be used to create an organization. Checking does not use up the token. */
export async function isUsable(db: Executor, secret: string, now: Date): Promise<boolean> {
  const rows = await db.select({ hash: creationToken.hash }).from(creationToken).where(usableToken(secret, now));
  return rows.length > 0;
}

/**
 * Uses up the token in the transaction that creates the organization. If there are two concurrent uses, the second one
 * waits and then finds that the token has been used.
 *
 * @returns undefined if the token is unknown, used, or expired
 */
export async function redeemCreationToken(
  tx: Tx,
  secret: string,
  organization: string,
  now: Date,
): Promise<CreationToken | undefined> {
  const [token] = await tx
    .update(creationToken)
    .set({ usedAt: now, usedFor: organization })
    .where(usableToken(secret, now))
    .returning();
  return token;
}

import { createHash } from 'node:crypto';

import { and, eq, lt, type InferSelectModel } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import type { VerifiedIdentity } from '#server/identity/verifier.ts';

/** The details that a client sends about itself with each call. */
export interface Caller {
  /** The client's name, such as `quarterdeck-console`; empty if it sends none. */
  readonly client: string;
  readonly version: string;
  readonly userAgent: string;
}

const MAX_NAME_LENGTH = 100;
const MAX_AGENT_LENGTH = 400;
/** The maximum age of `last_seen_at` while calls arrive, which limits its writes to one a minute. */
const SEEN_INTERVAL_MS = 60_000;

export function readCaller(headers: Headers): Caller {
  const header = (name: string, maxLength: number) => (headers.get(name) ?? '').trim().slice(0, maxLength);
  return {
    client: header('x-client-name', MAX_NAME_LENGTH),
    version: header('x-client-version', MAX_NAME_LENGTH),
    userAgent: header('user-agent', MAX_AGENT_LENGTH),
  };
}

/**
 * Identifies the sign-in behind an ID token. The provider sends no id, and only three of its claims survive a token
 * refresh: the time of the sign-in, the method, and the use of a second factor. Two sign-ins by a user in the same
 * second and by the same method count as one.
 */
export function signInId({ authenticatedAt, provider, secondFactor }: VerifiedIdentity): string {
  const message = `${authenticatedAt.getTime()} ${provider} ${secondFactor}`;
  return createHash('sha256').update(message).digest('base64url').slice(0, 22);
}

type SignInRow = InferSelectModel<typeof signIn>;

/** Records that a sign-in was used, and by which client. */
export async function recordSignIn(
  { db, now }: Pick<App, 'db' | 'now'>,
  userId: string,
  id: string,
  identity: VerifiedIdentity,
  caller: Caller,
  existing: SignInRow | undefined,
): Promise<void> {
  const time = now();
  const clientFields = { client: `${caller.client} ${caller.version}`.trim(), userAgent: caller.userAgent };
  if (existing === undefined) {
    await db.orm
      .insert(signIn)
      .values({ userId, id, signedInAt: identity.authenticatedAt, lastSeenAt: time, ...clientFields })
      .onConflictDoNothing();
    return;
  }
  const staleBefore = new Date(time.getTime() - SEEN_INTERVAL_MS);
  if (existing.lastSeenAt > staleBefore) return;
  // If several calls arrive together, only the first one writes.
  await db.orm
    .update(signIn)
    .set({ lastSeenAt: time, ...clientFields })
    .where(and(eq(signIn.userId, userId), eq(signIn.id, id), lt(signIn.lastSeenAt, staleBefore)));
}

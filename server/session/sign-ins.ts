import { createHash } from 'node:crypto';
import { and, eq, lt, type InferSelectModel } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import type { VerifiedIdentity } from '#server/identity/verifier.ts';

/** What a program tells of itself with each call. */
export interface Caller {
  /** `quarterdeck-console`; empty when it tells none. */
  readonly client: string;
  readonly version: string;
  readonly userAgent: string;
}

const LONGEST_NAME = 100;
const LONGEST_AGENT = 400;
/** `last_seen_at` is at most this old while calls arrive: one write a minute, however many calls. */
const SEEN_EVERY_MS = 60_000;

export function callerOf(headers: Headers): Caller {
  const header = (name: string, most: number) => (headers.get(name) ?? '').trim().slice(0, most);
  return {
    client: header('x-client-name', LONGEST_NAME),
    version: header('x-client-version', LONGEST_NAME),
    userAgent: header('user-agent', LONGEST_AGENT),
  };
}

/**
 * Names the sign-in that an ID token comes from. The provider gives none, and of what it does say only three things
 * stay the same when a token is refreshed: when the person signed in, in which way, and whether with a second factor.
 * Two sign-ins of one person in the same second and way count as one.
 */
export function signInId({ authenticatedAt, provider, secondFactor }: VerifiedIdentity): string {
  const message = `${authenticatedAt.getTime()} ${provider} ${secondFactor}`;
  return createHash('sha256').update(message).digest('base64url').slice(0, 22);
}

type SignInRow = InferSelectModel<typeof signIn>;

/** Remembers that a sign-in was used, and where. */
export async function recordSignIn(
  { db, now }: Pick<App, 'db' | 'now'>,
  userId: string,
  id: string,
  identity: VerifiedIdentity,
  caller: Caller,
  known: SignInRow | undefined,
): Promise<void> {
  const time = now();
  const program = { client: `${caller.client} ${caller.version}`.trim(), userAgent: caller.userAgent };
  if (known === undefined) {
    await db.orm
      .insert(signIn)
      .values({ userId, id, signedInAt: identity.authenticatedAt, lastSeenAt: time, ...program })
      .onConflictDoNothing();
    return;
  }
  const stale = new Date(time.getTime() - SEEN_EVERY_MS);
  if (known.lastSeenAt > stale) return;
  // Calls arrive together: the first one writes.
  await db.orm
    .update(signIn)
    .set({ lastSeenAt: time, ...program })
    .where(and(eq(signIn.userId, userId), eq(signIn.id, id), lt(signIn.lastSeenAt, stale)));
}

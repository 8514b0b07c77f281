import { Code, ConnectError } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import type { VerifiedIdentity } from '#server/identity/verifier.ts';
import type { Person } from './person.ts';

export const refused = (sentence: string): ConnectError => new ConnectError(sentence, Code.Unauthenticated);

/**
 * Why somebody is not let in although the identity provider vouches for them; undefined when they are.
 *
 * The provider tells the second of a sign-in, not more: one in the very second of a revocation counts as from before
 * it.
 */
export async function refusalOf(
  orm: Executor,
  { user, signIn, memberships }: Person,
  { authenticatedAt }: VerifiedIdentity,
): Promise<string | undefined> {
  if (user.deletedAt !== null) return 'This account was deleted.';
  if (user.sessionsRevokedAt !== null && authenticatedAt <= user.sessionsRevokedAt) {
    return 'An administrator ended your sessions: sign in again.';
  }
  if (signIn?.revokedAt != null) return 'This sign-in was ended from another one: sign in again.';
  // Only people of one organization can be suspended (contract: Suspend), so its suspension is one of the person.
  // Another may let them in afterwards, by a request of before: what is theirs there is not for the first one to end.
  if (memberships.some((membership) => !membership.suspended)) return undefined;
  const [suspended] = memberships;
  return suspended && `Your access was suspended by an administrator of ${await nameOf(orm, suspended.organization)}.`;
}

export const suspendedIn = (id: string): string => `Your access to "${id}" was suspended by an administrator.`;

async function nameOf(orm: Executor, id: string): Promise<string> {
  const [row] = await orm.select({ name: organization.displayName }).from(organization).where(eq(organization.id, id));
  return row?.name ?? id;
}

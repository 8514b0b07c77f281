import { Code, ConnectError } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import type { VerifiedIdentity } from '#server/identity/verifier.ts';

import type { Person } from './person.ts';

export const unauthenticated = (reason: string): ConnectError => new ConnectError(reason, Code.Unauthenticated);

/**
 * Finds the reason for denying access to someone whom the identity provider authenticated; undefined if there is none.
 *
 * The provider reports the time of a sign-in in whole seconds, so a sign-in in the same second as a revocation counts
 * as earlier.
 */
export async function findDenialReason(
  orm: Executor,
  { user, signIn, memberships }: Person,
  { authenticatedAt }: VerifiedIdentity,
): Promise<string | undefined> {
  if (user.deletedAt !== null) return 'This account was deleted.';
  if (user.sessionsRevokedAt !== null && authenticatedAt <= user.sessionsRevokedAt) {
    return 'An administrator ended your sessions. Sign in again.';
  }
  if (signIn?.revokedAt != null) return 'You ended this sign-in from another device or browser. Sign in again.';
  // Only members of a single organization can be suspended (contract: Suspend), so the suspension applies to the user
  // as a whole. Another organization can admit the user later because of an earlier request, and the first organization
  // can't block access to it.
  if (memberships.some((membership) => !membership.suspended)) return undefined;
  const [suspended] = memberships;
  return (
    suspended &&
    `Your access was suspended by an administrator of ${await loadOrganizationName(orm, suspended.organization)}.`
  );
}

export const suspensionMessage = (id: string): string => `Your access to "${id}" was suspended by an administrator.`;

async function loadOrganizationName(orm: Executor, id: string): Promise<string> {
  const [row] = await orm.select({ name: organization.displayName }).from(organization).where(eq(organization.id, id));
  return row?.name ?? id;
}

import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';

import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Database, Tx } from '#server/db/database.ts';
import { token } from '#server/db/schema/token.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { describeMissing, notFound } from '#server/wire/errors.ts';

import { callerAsHolder, type Grants, requireHeldBy } from './grants.ts';
import { loadOwner } from './owner.ts';
import { requireExpiryWithin } from './parent.ts';
import type { TokenRow } from './present.ts';

type Change = Partial<Pick<typeof token.$inferInsert, 'organizationPermissions' | 'userPermissions' | 'roles'>>;

/**
 * Changes several tokens in a single transaction, which the contract doesn't require.
 *
 * @param grants the permissions and roles to add to each token
 * @throws ConnectError INVALID_ARGUMENT without ids, NOT_FOUND naming the missing ids, FAILED_PRECONDITION for a
 *   PERSONAL token, which has its owner's permissions, PERMISSION_DENIED for granting something that the caller or the
 *   owner doesn't have, or granting anything to a token that outlasts the calling token
 */
export async function updateTokens(
  db: Database,
  caller: Scope,
  ids: readonly bigint[],
  grants: Grants,
  change: (row: TokenRow) => Change,
): Promise<void> {
  if (ids.length === 0) throw new ConnectError('Specify the tokens to update.', Code.InvalidArgument);
  requireHeldBy(callerAsHolder(caller), grants);
  await db.transaction(async (tx) => {
    const rows = await lockTokens(tx, caller.organization, ids);
    for (const row of rows) {
      if (row.type === Token_Type.PERSONAL) {
        throw new ConnectError(
          `"${row.name}" is a PERSONAL token. It has its owner's permissions, and none of its own to update.`,
          Code.FailedPrecondition,
        );
      }
      if (hasGrants(grants)) {
        requireExpiryWithin(caller.session.token, row);
        await requireHeldByOwner(tx, caller, row, grants);
      }
      await tx
        .update(token)
        .set(change(row))
        .where(and(eq(token.organization, row.organization), eq(token.id, row.id)));
    }
    announceAccessChanged(tx, rows.map(accessSubject.token));
  });
}

const hasGrants = ({ organization, user, roles }: Grants): boolean =>
  organization.length + user.length + roles.length > 0;

/** Checks grants to someone else's token in the same way as the grants of a new token (contract: for_user_id). */
async function requireHeldByOwner(tx: Tx, caller: Scope, row: TokenRow, grants: Grants): Promise<void> {
  if (row.userId === caller.session.user.id) return;
  caller.require('USERS_MANAGE');
  if (grants.user.length > 0) {
    throw new ConnectError(
      `"${row.name}" belongs to someone else. Only they can grant it user permissions.`,
      Code.PermissionDenied,
    );
  }
  const owner = await loadOwner(tx, row.organization, row.userId);
  if (owner === undefined) {
    throw new ConnectError(
      `The owner of "${row.name}" is no longer a member, so you can't add permissions or roles to it.`,
      Code.FailedPrecondition,
    );
  }
  requireHeldBy(owner, grants);
}

/** Locks the tokens, so concurrent updates wait for each other. Locks them in id order to prevent deadlocks. */
export async function lockTokens(tx: Tx, organization: string, ids: readonly bigint[]): Promise<TokenRow[]> {
  const requestedIds = [...new Set(ids.map(Number))];
  const rows = await tx
    .select()
    .from(token)
    .where(and(eq(token.organization, organization), anyOf(token.id, requestedIds)))
    .orderBy(token.id)
    .for('update');
  const missingIds = requestedIds.filter((id) => !rows.some((row) => row.id === id));
  if (missingIds.length > 0) {
    throw notFound(`${organization} has ${describeMissing('token with id', missingIds, 'tokens with ids')}.`);
  }
  return rows;
}

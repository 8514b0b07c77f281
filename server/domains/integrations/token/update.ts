import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Database, Tx } from '#server/db/database.ts';
import { token } from '#server/db/schema/token.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import type { Scope } from '#server/session/scope.ts';
import { callerAsParty, type Grants, requireHeldBy } from './grants.ts';
import { ownerAsParty } from './owner.ts';
import { requireExpiryWithin } from './parent.ts';
import type { TokenRow } from './present.ts';

type Change = Partial<Pick<typeof token.$inferInsert, 'organizationPermissions' | 'userPermissions' | 'roles'>>;

/**
 * Changes several tokens, all or none (atomicity is not stated).
 *
 * @param given what each of them gets beside what it has
 * @throws ConnectError INVALID_ARGUMENT without ids, NOT_FOUND naming the ids that are not there, FAILED_PRECONDITION
 *   for
 *   a PERSONAL token, which follows its owner, PERMISSION_DENIED for giving what the caller or the owner lacks, or to a
 *   token that outlasts the one of the call
 */
export async function updateTokens(
  db: Database,
  caller: Scope,
  ids: readonly bigint[],
  given: Grants,
  change: (row: TokenRow) => Change,
): Promise<void> {
  if (ids.length === 0) throw new ConnectError('Name the tokens to update.', Code.InvalidArgument);
  requireHeldBy(callerAsParty(caller), given);
  await db.transaction(async (tx) => {
    const rows = await tokensForUpdate(tx, caller.organization, ids);
    for (const row of rows) {
      if (row.type === Token_Type.PERSONAL) {
        throw new ConnectError(
          `"${row.name}" is a PERSONAL token and follows its owner: it has no permissions to update.`,
          Code.FailedPrecondition,
        );
      }
      if (givesAnything(given)) {
        requireExpiryWithin(caller.session.token, row);
        await requireHeldByOwner(tx, caller, row, given);
      }
      await tx
        .update(token)
        .set(change(row))
        .where(and(eq(token.organization, row.organization), eq(token.id, row.id)));
    }
    tellRightsChanged(tx, rows.map(rightsOf.token));
  });
}

const givesAnything = ({ organization, user, roles }: Grants): boolean =>
  organization.length + user.length + roles.length > 0;

/** What holds when a token is made for somebody else holds when it is given more (contract: for_user_id). */
async function requireHeldByOwner(tx: Tx, caller: Scope, row: TokenRow, given: Grants): Promise<void> {
  if (row.userId === caller.session.user.id) return;
  caller.require('USERS_MANAGE');
  if (given.user.length > 0) {
    throw new ConnectError(
      `"${row.name}" belongs to somebody else, who alone can give it user permissions.`,
      Code.PermissionDenied,
    );
  }
  const owner = await ownerAsParty(tx, row.organization, row.userId);
  if (owner === undefined) {
    throw new ConnectError(
      `The owner of "${row.name}" is not a member any more, so it cannot be given anything.`,
      Code.FailedPrecondition,
    );
  }
  requireHeldBy(owner, given);
}

/** Locked, in order of id, so that concurrent updates wait for each other instead of losing one. */
export async function tokensForUpdate(tx: Tx, organization: string, ids: readonly bigint[]): Promise<TokenRow[]> {
  const wanted = [...new Set(ids.map(Number))];
  const rows = await tx
    .select()
    .from(token)
    .where(and(eq(token.organization, organization), anyOf(token.id, wanted)))
    .orderBy(token.id)
    .for('update');
  const missing = wanted.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) {
    throw new ConnectError(`There is no token ${missing.join(', ')} in "${organization}".`, Code.NotFound);
  }
  return rows;
}

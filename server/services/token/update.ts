import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq, inArray } from 'drizzle-orm';
import { Token_Type } from '#proto/hiber/token_pb';
import type { Database, Tx } from '../../db/database.ts';
import { token } from '../../db/schema/token.ts';
import type { Scope } from '../../session/scope.ts';
import type { TokenRow } from './present.ts';

type Change = Partial<Pick<typeof token.$inferInsert, 'organizationPermissions' | 'userPermissions' | 'roles'>>;

/**
 * Changes several tokens, all or none (atomicity is not stated).
 *
 * @param change what to change of one token; may refuse by throwing
 * @throws ConnectError INVALID_ARGUMENT without ids, NOT_FOUND naming the ids that are not there, FAILED_PRECONDITION for
 *   a PERSONAL token, which follows its owner
 */
export async function updateTokens(
  db: Database,
  caller: Scope,
  ids: readonly bigint[],
  change: (row: TokenRow) => Change,
): Promise<void> {
  if (ids.length === 0) throw new ConnectError('Name the tokens to update.', Code.InvalidArgument);
  await db.transaction(async (tx) => {
    for (const row of await tokensForUpdate(tx, caller.organization, ids)) {
      if (row.type === Token_Type.PERSONAL) {
        throw new ConnectError(
          `"${row.name}" is a PERSONAL token and follows its owner: it has no permissions to update.`,
          Code.FailedPrecondition,
        );
      }
      await tx
        .update(token)
        .set(change(row))
        .where(and(eq(token.organization, row.organization), eq(token.id, row.id)));
    }
  });
}

/** Locked, in order of id, so that concurrent updates wait for each other instead of losing one. */
export async function tokensForUpdate(tx: Tx, organization: string, ids: readonly bigint[]): Promise<TokenRow[]> {
  const wanted = [...new Set(ids.map(Number))];
  const rows = await tx
    .select()
    .from(token)
    .where(and(eq(token.organization, organization), inArray(token.id, wanted)))
    .orderBy(token.id)
    .for('update');
  const missing = wanted.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) {
    throw new ConnectError(`There is no token ${missing.join(', ')} in "${organization}".`, Code.NotFound);
  }
  return rows;
}

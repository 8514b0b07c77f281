import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq, or } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { token } from '#server/db/schema/token.ts';
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { recordEvents } from '#server/events/record.ts';
import { unauthenticated } from '#server/session/denial.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';

import { tokenDeleted } from './events.ts';
import { presentToken, type TokenRow } from './present.ts';

/**
 * Locks the token that authenticates this call until the transaction ends. It can't be changed or deleted until then,
 * because the tokens created with it must not outlive it.
 *
 * @returns the token; undefined for a user who signed in
 * @throws ConnectError UNAUTHENTICATED if the token has been deleted since the call began, ABORTED if it has been
 *   changed
 */
export async function lockParentToken(tx: Tx, { session }: Scope): Promise<TokenRow | undefined> {
  const callerToken = session.token;
  if (callerToken === undefined) return undefined;
  const [row] = await tx
    .select()
    .from(token)
    .where(and(eq(token.organization, callerToken.organization), eq(token.id, callerToken.id)))
    .for('update');
  if (row === undefined) throw unauthenticated(`The token "${callerToken.name}" was deleted.`);
  const rights = ({ organizationPermissions, userPermissions, roles }: TokenRow) =>
    JSON.stringify([organizationPermissions, userPermissions, roles]);
  if (rights(row) !== rights(callerToken)) {
    throw new ConnectError(`The token "${callerToken.name}" changed during the call. Try again.`, Code.Aborted);
  }
  return row;
}

/**
 * Limits the expiry of a new token to the expiry of the token used to create it, which is also the default (not
 * specified in the contract).
 *
 * @throws ConnectError INVALID_ARGUMENT for a later expiry
 */
export function limitExpiry(parent: TokenRow | undefined, requestedExpiry: Date | null): Date | null {
  if (parent?.expiresAt == null) return requestedExpiry;
  if (requestedExpiry !== null && requestedExpiry > parent.expiresAt) {
    throw invalidArgument(
      `You are using the token "${parent.name}", which expires at ${parent.expiresAt.toISOString()}. A token that you ` +
        "create with it can't expire later.",
    );
  }
  return requestedExpiry ?? parent.expiresAt;
}

/**
 * Prevents a token from granting its permissions to a token that expires later.
 *
 * @throws ConnectError PERMISSION_DENIED
 */
export function requireExpiryWithin(callerToken: TokenRow | undefined, row: TokenRow): void {
  if (callerToken?.expiresAt == null || (row.expiresAt !== null && row.expiresAt <= callerToken.expiresAt)) return;
  throw new ConnectError(
    `You are using the token "${callerToken.name}", which expires before "${row.name}" does. You can't use it to add ` +
      `permissions or roles to "${row.name}".`,
    Code.PermissionDenied,
  );
}

/** Deletes tokens and, recursively, all tokens created with them. Records an event for each in its organization. */
export async function deleteTokens(tx: Tx, rows: readonly TokenRow[], now: Date): Promise<void> {
  const tokens = new Map<string, TokenRow>();
  let generation = rows;
  while (generation.length > 0) {
    const newRows = generation.filter((row) => !tokens.has(accessSubject.token(row)));
    for (const row of newRows) tokens.set(accessSubject.token(row), row);
    generation = newRows.length === 0 ? [] : await lockChildTokens(tx, newRows);
  }
  const deletedRows = [...tokens.values()];
  if (deletedRows.length === 0) return;
  await tx
    .delete(token)
    .where(or(...deletedRows.map((row) => and(eq(token.organization, row.organization), eq(token.id, row.id)))));
  announceAccessChanged(tx, deletedRows.map(accessSubject.token));
  await recordEvents(
    tx,
    deletedRows.map((row) => tokenDeleted(row.organization, presentToken(row), now)),
  );
}

const lockChildTokens = (tx: Tx, rows: readonly TokenRow[]): Promise<TokenRow[]> =>
  tx
    .select()
    .from(token)
    .where(or(...rows.map((row) => and(eq(token.parentOrganization, row.organization), eq(token.parent, row.id)))))
    .orderBy(token.organization, token.id)
    .for('update');

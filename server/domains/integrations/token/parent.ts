import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq, or } from 'drizzle-orm';
import type { Tx } from '#server/db/database.ts';
import { token } from '#server/db/schema/token.ts';
import { recordEvents } from '#server/events/record.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import { tokenDeleted } from './events.ts';
import { refused } from '#server/session/refusal.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { presentToken, type TokenRow } from './present.ts';

/**
 * The token that this call is made with, locked against being deleted or changed until the transaction ends: what it
 * makes must not outlive it.
 *
 * @returns undefined for somebody who signed in
 * @throws ConnectError UNAUTHENTICATED when it was deleted since the call began, ABORTED when it was changed
 */
export async function lockedParent(tx: Tx, { session }: Scope): Promise<TokenRow | undefined> {
  const used = session.token;
  if (used === undefined) return undefined;
  const [row] = await tx
    .select()
    .from(token)
    .where(and(eq(token.organization, used.organization), eq(token.id, used.id)))
    .for('update');
  if (row === undefined) throw refused(`The token "${used.name}" was deleted.`);
  const rights = ({ organizationPermissions, userPermissions, roles }: TokenRow) =>
    JSON.stringify([organizationPermissions, userPermissions, roles]);
  if (rights(row) !== rights(used)) {
    throw new ConnectError(`The token "${used.name}" was changed meanwhile: try again.`, Code.Aborted);
  }
  return row;
}

/**
 * A token that expires makes none that lasts longer (what the contract leaves open): without an expiry of its own the
 * new one takes over the other's.
 *
 * @throws ConnectError INVALID_ARGUMENT for a later one
 */
export function expiryWithin(parent: TokenRow | undefined, asked: Date | null): Date | null {
  if (parent?.expiresAt == null) return asked;
  if (asked !== null && asked > parent.expiresAt) {
    throw invalidArgument(
      `The token "${parent.name}", which this call is made with, expires at ${parent.expiresAt.toISOString()}, and ` +
        'a token made with it cannot expire later.',
    );
  }
  return asked ?? parent.expiresAt;
}

/**
 * Nor does it give what it may do to one that lasts longer.
 *
 * @throws ConnectError PERMISSION_DENIED
 */
export function requireExpiryWithin(used: TokenRow | undefined, row: TokenRow): void {
  if (used?.expiresAt == null || (row.expiresAt !== null && row.expiresAt <= used.expiresAt)) return;
  throw new ConnectError(
    `The token "${used.name}", which this call is made with, expires before "${row.name}" does, so it cannot give that ` +
      'one anything.',
    Code.PermissionDenied,
  );
}

/** Deletes tokens, those that were made with them, and so on; each is an event of its organization. */
export async function deleteTokens(tx: Tx, rows: readonly TokenRow[], now: Date): Promise<void> {
  const all = new Map<string, TokenRow>();
  let found = rows;
  while (found.length > 0) {
    const fresh = found.filter((row) => !all.has(rightsOf.token(row)));
    for (const row of fresh) all.set(rightsOf.token(row), row);
    found = fresh.length === 0 ? [] : await madeWith(tx, fresh);
  }
  const deleted = [...all.values()];
  if (deleted.length === 0) return;
  await tx
    .delete(token)
    .where(or(...deleted.map((row) => and(eq(token.organization, row.organization), eq(token.id, row.id)))));
  tellRightsChanged(tx, deleted.map(rightsOf.token));
  await recordEvents(
    tx,
    deleted.map((row) => tokenDeleted(row.organization, presentToken(row), now)),
  );
}

const madeWith = (tx: Tx, rows: readonly TokenRow[]): Promise<TokenRow[]> =>
  tx
    .select()
    .from(token)
    .where(or(...rows.map((row) => and(eq(token.parentOrganization, row.organization), eq(token.parent, row.id)))))
    .orderBy(token.organization, token.id)
    .for('update');

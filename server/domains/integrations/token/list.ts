import { and, arrayOverlaps, asc, count, eq, gt, ilike, inArray, isNull, not, or, type SQL } from 'drizzle-orm';

import type { TokenSelection } from '#proto/gen/hiber/token_pb.ts';
import { anyOf, noneOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { token } from '#server/db/schema/token.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import type { Page } from '#server/wire/pagination.ts';
import { substringPattern } from '#server/wire/text.ts';

import type { TokenRow } from './present.ts';

/** Matches tokens that have not expired, including tokens without an expiry. */
export const activeAt = (now: Date): SQL | undefined => or(isNull(token.expiresAt), gt(token.expiresAt, now));

function selectionWhere(selection: TokenSelection | undefined, now: Date): SQL | undefined {
  const { include: users = [], exclude: excludedUsers = [] } = selection?.users ?? {};
  const { include: roles = [], exclude: excludedRoles = [] } = selection?.roles ?? {};
  const name = selection?.name?.trim() ?? '';
  const types = selection?.type ?? [];
  return and(
    selection?.includeExpired === true ? undefined : activeAt(now),
    // Match part of the name, ignoring case (not specified in the contract).
    name === '' ? undefined : ilike(token.name, substringPattern(name)),
    users.length === 0 ? undefined : anyOf(token.userId, users),
    excludedUsers.length === 0 ? undefined : noneOf(token.userId, excludedUsers),
    roles.length === 0 ? undefined : arrayOverlaps(token.roles, roles),
    excludedRoles.length === 0 ? undefined : not(arrayOverlaps(token.roles, excludedRoles)),
    types.length === 0 ? undefined : inArray(token.type, types),
  );
}

export interface ListedToken {
  readonly token: TokenRow;
  /** Undefined if the owner isn't a member of the organization. */
  readonly owner: { name: string; email: string } | undefined;
}

/** Lists a page of an organization's tokens, sorted by name (not specified in the contract), and returns the total. */
export async function listTokens(
  orm: Executor,
  organization: string,
  selection: TokenSelection | undefined,
  now: Date,
  { limit, offset }: Page,
): Promise<{ total: number; tokens: ListedToken[] }> {
  const where = and(eq(token.organization, organization), selectionWhere(selection, now));
  const [total] = await orm.select({ count: count() }).from(token).where(where);
  const rows = await orm
    .select({ token, name: appUser.name, email: appUser.email })
    .from(token)
    .leftJoin(membership, and(eq(membership.organization, token.organization), eq(membership.userId, token.userId)))
    .leftJoin(appUser, eq(appUser.id, membership.userId))
    .where(where)
    .orderBy(asc(naturalOrder(token.name)), asc(token.id))
    .limit(limit)
    .offset(offset);
  return {
    total: total?.count ?? 0,
    tokens: rows.map(({ token: row, name, email }) => ({
      token: row,
      owner: name === null || email === null ? undefined : { name, email },
    })),
  };
}

import { create } from '@bufbuild/protobuf';

import { Filter_ChildOrganizationsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { type Token, Token_UserDetailsSchema, TokenSchema } from '#proto/gen/hiber/token_pb.ts';
import type { token } from '#server/db/schema/token.ts';
import { presentDate } from '#server/wire/dates.ts';
import { presentTimestamp } from '#server/wire/present.ts';

export type TokenRow = typeof token.$inferSelect;

export interface TokenView {
  /** The owner's name and address; undefined if the owner is not a member or the caller may not see members. */
  readonly owner?: { name: string; email: string } | undefined;
  /** True if this token authenticates the call. */
  readonly usedForThisCall?: boolean;
}

/** Presents a token without its secret, which is returned only once, by Create. */
export function presentToken(row: TokenRow, { owner, usedForThisCall = false }: TokenView = {}): Token {
  const limit = row.limitImpersonation;
  return create(TokenSchema, {
    id: BigInt(row.id),
    name: row.name,
    userId: row.userId,
    organization: row.organization,
    ...(row.expiresAt !== null && { expiresAt: presentTimestamp(row.expiresAt) }),
    userPermissions: row.userPermissions as Token['userPermissions'],
    organizationPermissions: row.organizationPermissions as Token['organizationPermissions'],
    roles: row.roles,
    type: row.type as Token['type'],
    userDetails: create(Token_UserDetailsSchema, { id: row.userId, ...owner }),
    usedForThisCall,
    ...(row.lastUsed !== null && { lastUsed: presentDate(row.lastUsed) }),
    ...(limit !== null && { limitImpersonation: create(Filter_ChildOrganizationsSchema, limit) }),
  });
}

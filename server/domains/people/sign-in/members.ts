import { create } from '@bufbuild/protobuf';
import { and, asc, eq, sql } from 'drizzle-orm';

import {
  MembersResponse_MemberSchema,
  type MembersRequest,
  type MembersResponse,
  MembersResponseSchema,
} from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import type { Scope } from '#server/session/scope.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** Lists members with their sign-in status. Ignores the ids of non-members, so clients can send an outdated list. */
export async function listMembers(
  orm: Executor,
  { organization }: Scope,
  { userIds }: MembersRequest,
): Promise<MembersResponse> {
  const rows = await orm
    .select({
      userId: appUser.id,
      emailVerified: appUser.emailVerified,
      suspendedAt: membership.suspendedAt,
      joinedAt: membership.createdAt,
      signIns: sql<number>`(select count(*)::int from ${signIn}
        where ${signIn.userId} = ${appUser.id} and ${signIn.revokedAt} is null
          and (${appUser.sessionsRevokedAt} is null or ${signIn.signedInAt} > ${appUser.sessionsRevokedAt}))`,
    })
    .from(membership)
    .innerJoin(appUser, eq(appUser.id, membership.userId))
    .where(
      and(
        eq(membership.organization, organization),
        userIds.length === 0 ? undefined : anyOf(membership.userId, userIds),
      ),
    )
    .orderBy(asc(appUser.id));
  return create(MembersResponseSchema, {
    members: rows.map(({ userId, emailVerified, suspendedAt, joinedAt, signIns }) =>
      create(MembersResponse_MemberSchema, {
        userId,
        emailVerified,
        suspended: suspendedAt !== null,
        joinedAt: presentTimestamp(joinedAt),
        signIns,
      }),
    ),
  });
}

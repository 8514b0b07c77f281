import { create } from '@bufbuild/protobuf';
import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import {
  type ListAccessRequestsRequest,
  type ListAccessRequestsRequest_Response,
  ListAccessRequestsRequest_ResponseSchema,
  ListAccessRequestsRequestSchema,
  type ListUsersRequest,
  type ListUsersRequest_Response,
  ListUsersRequest_ResponseSchema,
  ListUsersRequestSchema,
  UserSort,
} from '#proto/gen/hiber/user_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { natural } from '#server/db/schema/columns.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { userActivity } from '#server/db/schema/sign-in.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import type { Scope } from '#server/session/scope.ts';
import { childOrganizations } from '#server/domains/people/organization/child-organizations.ts';
import { effectivePagination, page, paginationResult } from '#server/wire/pagination.ts';
import { presentUser } from './model/present.ts';
import { selectedUsers } from './model/selection.ts';

const email = sql`lower(${appUser.email}) collate "und-x-icu"`;

const firsts: ReadonlyMap<UserSort, SQL> = new Map([
  [UserSort.EMAIL_ASC, asc(email)],
  [UserSort.EMAIL_DESC, desc(email)],
  [UserSort.NAME_ASC, asc(natural(appUser.name))],
  [UserSort.NAME_DESC, desc(natural(appUser.name))],
]);

/** By default email, ascending; ids last, so that pages never overlap. */
function order(sort: UserSort, organization: SQL): SQL[] {
  const first = firsts.get(sort) ?? asc(email);
  return [first, asc(appUser.id), organization];
}

/** Somebody who is a member of several of the organizations asked for is listed once for each, with the roles there. */
export async function listUsers(
  orm: Executor,
  caller: Scope,
  request: ListUsersRequest,
): Promise<ListUsersRequest_Response> {
  const asked = page(request.pagination);
  const organizations = [caller.organization, ...(await childOrganizations(orm, caller, request.childOrganizations))];
  const where = and(
    inArray(membership.organization, organizations),
    selectedUsers(request.selection, { person: membership.userId, held: sql`${membership.roles}` }),
  );
  const members = orm.select({ count: count() }).from(membership);
  const [total] = await members.innerJoin(appUser, eq(appUser.id, membership.userId)).where(where);
  const rows = await orm
    .select({
      id: appUser.id,
      email: appUser.email,
      name: appUser.name,
      organization: membership.organization,
      roles: membership.roles,
      lastActivity: sql<string | null>`(select max(${userActivity.date})::text from ${userActivity}
        where ${userActivity.organization} = ${membership.organization} and ${userActivity.userId} = ${membership.userId})`,
      overridden: sql<boolean>`exists (select from ${roleOverride}
        where ${roleOverride.organization} = ${membership.organization} and ${roleOverride.userId} = ${membership.userId})`,
    })
    .from(membership)
    .innerJoin(appUser, eq(appUser.id, membership.userId))
    .where(where)
    .orderBy(...order(request.sort, asc(membership.organization)))
    .limit(asked.limit)
    .offset(asked.offset);
  return create(ListUsersRequest_ResponseSchema, {
    users: rows.map(presentUser),
    request: create(ListUsersRequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(asked),
    }),
    pagination: paginationResult(asked, total?.count ?? 0),
  });
}

/** People who ask to join hold nothing yet, so that a filter on roles or permissions finds none of them. */
export async function listAccessRequests(
  orm: Executor,
  caller: Scope,
  request: ListAccessRequestsRequest,
): Promise<ListAccessRequestsRequest_Response> {
  const asked = page(request.pagination);
  const where = and(
    eq(accessRequest.organization, caller.organization),
    selectedUsers(request.selection, { person: accessRequest.userId, held: sql`'{}'::text[]` }),
  );
  const requests = orm.select({ count: count() }).from(accessRequest);
  const [total] = await requests.innerJoin(appUser, eq(appUser.id, accessRequest.userId)).where(where);
  const rows = await orm
    .select({ id: appUser.id, email: appUser.email, name: appUser.name, organization: accessRequest.organization })
    .from(accessRequest)
    .innerJoin(appUser, eq(appUser.id, accessRequest.userId))
    .where(where)
    .orderBy(...order(request.sort, asc(accessRequest.organization)))
    .limit(asked.limit)
    .offset(asked.offset);
  return create(ListAccessRequestsRequest_ResponseSchema, {
    users: rows.map((row) => presentUser({ ...row, roles: [] })),
    request: create(ListAccessRequestsRequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(asked),
    }),
    pagination: paginationResult(asked, total?.count ?? 0),
  });
}

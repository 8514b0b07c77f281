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
import { naturalOrder } from '#server/db/schema/columns.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import { userActivity } from '#server/db/schema/sign-in.ts';
import { addressOrder, appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { loadChildOrganizations } from '#server/domains/people/organization/child-organizations.ts';
import type { Scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { presentUser } from './model/present.ts';
import { selectedUsers } from './model/selection.ts';

const byAddress = addressOrder(appUser.email);

const sortColumns: ReadonlyMap<UserSort, SQL> = new Map([
  [UserSort.EMAIL_ASC, asc(byAddress)],
  [UserSort.EMAIL_DESC, desc(byAddress)],
  [UserSort.NAME_ASC, asc(naturalOrder(appUser.name))],
  [UserSort.NAME_DESC, desc(naturalOrder(appUser.name))],
]);

/** Sorts by email by default. The id and organization come last, which keeps pagination stable. */
function sortOrder(sort: UserSort, organization: SQL): SQL[] {
  const requestedOrder = sortColumns.get(sort) ?? asc(byAddress);
  return [requestedOrder, asc(appUser.id), organization];
}

/** Lists members with their roles. A member of several selected organizations appears once for each of them. */
export async function listUsers(
  orm: Executor,
  caller: Scope,
  request: ListUsersRequest,
): Promise<ListUsersRequest_Response> {
  const requestedPage = readPage(request.pagination);
  const organizations = [
    caller.organization,
    ...(await loadChildOrganizations(orm, caller, request.childOrganizations)),
  ];
  const where = and(
    inArray(membership.organization, organizations),
    selectedUsers(request.selection, { person: membership.userId, roles: sql`${membership.roles}` }),
  );
  const page = orm
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
    .orderBy(...sortOrder(request.sort, asc(membership.organization)))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  const countQuery = orm.select({ count: count() }).from(membership);
  const [rows, [total]] = await Promise.all([
    page,
    countQuery.innerJoin(appUser, eq(appUser.id, membership.userId)).where(where),
  ]);
  return create(ListUsersRequest_ResponseSchema, {
    users: rows.map(presentUser),
    request: create(ListUsersRequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(requestedPage),
    }),
    pagination: paginationResult(requestedPage, total?.count ?? 0),
  });
}

/** Lists people who have requested to join. They have no roles yet, so filters on roles or permissions match nobody. */
export async function listAccessRequests(
  orm: Executor,
  caller: Scope,
  request: ListAccessRequestsRequest,
): Promise<ListAccessRequestsRequest_Response> {
  const requestedPage = readPage(request.pagination);
  const where = and(
    eq(accessRequest.organization, caller.organization),
    selectedUsers(request.selection, { person: accessRequest.userId, roles: sql`'{}'::text[]` }),
  );
  const countQuery = orm.select({ count: count() }).from(accessRequest);
  const [total] = await countQuery.innerJoin(appUser, eq(appUser.id, accessRequest.userId)).where(where);
  const rows = await orm
    .select({ id: appUser.id, email: appUser.email, name: appUser.name, organization: accessRequest.organization })
    .from(accessRequest)
    .innerJoin(appUser, eq(appUser.id, accessRequest.userId))
    .where(where)
    .orderBy(...sortOrder(request.sort, asc(accessRequest.organization)))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  return create(ListAccessRequestsRequest_ResponseSchema, {
    users: rows.map((row) => presentUser({ ...row, roles: [] })),
    request: create(ListAccessRequestsRequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(requestedPage),
    }),
    pagination: paginationResult(requestedPage, total?.count ?? 0),
  });
}

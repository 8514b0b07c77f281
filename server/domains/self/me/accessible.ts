import { create } from '@bufbuild/protobuf';
import { and, asc, count, inArray, type SQL, sql } from 'drizzle-orm';

import {
  type AccessibleOrganizationsRequest,
  AccessibleOrganizationsRequest_AccessibleOrganizationSchema,
  type AccessibleOrganizationsRequest_Response,
  AccessibleOrganizationsRequest_ResponseSchema,
} from '#proto/gen/hiber/current_user_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { organization } from '#server/db/schema/organization.ts';
import { presentContact } from '#server/domains/people/organization/present.ts';
import { matchesOrganization } from '#server/domains/people/organization/selection.ts';
import { accessible } from '#server/session/access.ts';
import type { Session } from '#server/session/session.ts';
import { readPage, paginationResult } from '#server/wire/pagination.ts';

/** Lists the organizations that the caller can act for, sorted by display name (not specified in the contract). */
export async function listAccessibleOrganizations(
  orm: Executor,
  session: Session,
  request: AccessibleOrganizationsRequest,
): Promise<AccessibleOrganizationsRequest_Response> {
  const memberOrganizations = session.memberships.map((membership) => membership.organization);
  const requestedPage = readPage(request.pagination);
  const where = and(
    accessible(session),
    request.search === undefined ? undefined : matchesOrganization(request.search),
    request.memberOnly === true ? hasId(memberOrganizations) : undefined,
    request.defaultOnly === true ? hasId([session.user.defaultOrganization].filter((id) => id !== null)) : undefined,
  );
  const [total] = await orm.select({ count: count() }).from(organization).where(where);
  const rows = await orm
    .select()
    .from(organization)
    .where(where)
    .orderBy(asc(naturalOrder(organization.displayName)), asc(organization.id))
    .limit(requestedPage.limit)
    .offset(requestedPage.offset);
  return create(AccessibleOrganizationsRequest_ResponseSchema, {
    pagination: paginationResult(requestedPage, total?.count ?? 0),
    organizations: rows.map((row) =>
      create(AccessibleOrganizationsRequest_AccessibleOrganizationSchema, {
        organization: row.id,
        displayName: row.displayName,
        member: memberOrganizations.includes(row.id),
        defaultOrganization: row.id === session.user.defaultOrganization,
        ...(row.contact && { contact: presentContact(row.contact) }),
      }),
    ),
  });
}

const hasId = (ids: string[]): SQL => (ids.length === 0 ? sql`false` : inArray(organization.id, ids));

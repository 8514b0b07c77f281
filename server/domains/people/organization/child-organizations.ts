import { and, ne, sql } from 'drizzle-orm';

import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { accessible } from '#server/session/access.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, summarizeList } from '#server/wire/errors.ts';

/**
 * Loads the descendants that the filter includes and the caller may act for. An empty filter includes none (contract:
 * Filter.ChildOrganizations).
 *
 * @throws ConnectError INVALID_ARGUMENT for an organization that is not a descendant of the caller's
 */
export async function loadChildOrganizations(
  db: Executor,
  caller: Scope,
  filter: Filter_ChildOrganizations | undefined,
): Promise<string[]> {
  const { includeAll = false, include = [], exclude = [] } = filter ?? {};
  if (!includeAll && include.length === 0) return [];
  const parent = caller.organization;
  const isDescendant = and(sql`${organization.path} @> array[${parent}]::text[]`, ne(organization.id, parent));
  const rows = await db
    .select({ id: organization.id })
    .from(organization)
    .where(and(isDescendant, accessible(caller.session)));
  const descendants = rows.map(({ id }) => id);
  const unknownIds = include.filter((id) => !descendants.includes(id));
  if (unknownIds.length > 0) throw invalidArgument(`${parent} has no sub-organization ${summarizeList(unknownIds)}.`);
  return descendants.filter((id) => (includeAll || include.includes(id)) && !exclude.includes(id));
}

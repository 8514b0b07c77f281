import { and, arrayOverlaps, ne, sql } from 'drizzle-orm';

import type { Filter_ChildOrganizations } from '#proto/gen/hiber/filter_pb.ts';
import { anyOf, noneOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { organization } from '#server/db/schema/organization.ts';
import { accessible, accessIn } from '#server/session/access.ts';
import type { Scope } from '#server/session/scope.ts';

import { type DeviceScope, deviceScope } from './model/where.ts';

/**
 * Returns a scope with the caller's organization and the descendants that the filter includes, if the caller may access
 * them and has the permission there. An empty filter includes none (contract: Filter.ChildOrganizations).
 */
export async function withChildren(
  db: Executor,
  caller: Scope,
  filter: Filter_ChildOrganizations | undefined,
  permission: 'MODEMS' | 'PROCESS_POINTS' = 'MODEMS',
): Promise<DeviceScope> {
  const home = deviceScope(caller);
  if (!filter || (!filter.includeAll && filter.include.length === 0)) return home;
  const rows = await db
    .select({ id: organization.id, path: organization.path })
    .from(organization)
    .where(
      and(
        arrayOverlaps(organization.path, [caller.organization]),
        ne(organization.id, caller.organization),
        accessible(caller.session),
        filter.includeAll ? sql`true` : anyOf(organization.id, filter.include),
        filter.exclude.length > 0 ? noneOf(organization.id, filter.exclude) : undefined,
      ),
    );
  const children = rows
    .filter(({ id, path }) => accessIn(caller.session, id, path).permissions.has(permission))
    .map(({ id }) => id);
  return { ...home, organizations: [caller.organization, ...children] };
}

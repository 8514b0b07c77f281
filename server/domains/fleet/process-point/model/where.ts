import { and, inArray, or, type SQL, sql } from 'drizzle-orm';

import type { ProcessPointSelection } from '#proto/gen/hiber/process_point_pb.ts';
import { anyOf, inOrganizations } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { processPoint, processPointTag } from '#server/db/schema/process-point.ts';
import { isUnset } from '#server/domains/fleet/device/model/criteria.ts';
import { taggedWith } from '#server/domains/fleet/device/model/tag-selection.ts';
import { type DeviceScope, tagScope } from '#server/domains/fleet/device/model/where.ts';
import { describeMissing, invalidArgument, notFound } from '#server/wire/errors.ts';
import { substringPattern } from '#server/wire/text.ts';

/** Returns a condition on rows of `process_point` for a selection. Its parts are combined with AND. */
export function pointWhere(scope: DeviceScope, selection: ProcessPointSelection | undefined): SQL | undefined {
  const { identifiers = [], search = [], types = [], filterByTags } = selection ?? {};
  return and(
    inOrganizations(processPoint.organization, scope.organizations),
    identifiers.length > 0 ? anyOf(processPoint.identifier, identifiers) : undefined,
    // Any of several searches may match, as for tags; every word of a search must match (not specified in the
    // contract).
    search.length > 0 ? or(...search.map(matchesWords)) : undefined,
    types.length > 0 ? inArray(processPoint.type, types) : undefined,
    taggedWith(
      processPointTag,
      sql`${processPointTag.organization} = ${processPoint.organization}
        and ${processPointTag.point} = ${processPoint.identifier}`,
      tagScope(scope),
      filterByTags,
    ),
  );
}

const matchesWords = (text: string): SQL | undefined =>
  and(
    ...text
      .toLowerCase()
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => sql`${processPoint.searchText} like ${substringPattern(word)}`),
  );

/**
 * Checks that every named process point exists. As with devices, an unknown name is an error.
 */
export async function requireNamedPoints(
  db: Executor,
  scope: DeviceScope,
  selection: ProcessPointSelection | undefined,
): Promise<void> {
  const requestedIdentifiers = [...new Set(selection?.identifiers)];
  if (requestedIdentifiers.length === 0) return;
  const rows = await db
    .select({ identifier: processPoint.identifier })
    .from(processPoint)
    .where(
      and(anyOf(processPoint.organization, scope.organizations), anyOf(processPoint.identifier, requestedIdentifiers)),
    );
  const existing = new Set(rows.map(({ identifier }) => identifier));
  const missingIdentifiers = requestedIdentifiers.filter((identifier) => !existing.has(identifier));
  if (missingIdentifiers.length > 0) {
    throw notFound(
      `${scope.home} has ${describeMissing(
        'process point',
        missingIdentifiers.map((text) => `"${text}"`),
      )}.`,
    );
  }
}

/** A process point that a change applies to. */
export type PointRow = typeof processPoint.$inferSelect;

/**
 * Locks the selected process points in the order of their identifiers, so concurrent changes to the same points wait
 * for each other.
 *
 * @throws ConnectError INVALID_ARGUMENT for an empty selection (contract: ProcessPointService)
 */
export async function lockPoints(
  tx: Executor,
  scope: DeviceScope,
  selection: ProcessPointSelection | undefined,
): Promise<PointRow[]> {
  if (isUnset(selection)) {
    throw invalidArgument('Select the process points. An empty selection would affect all of them.');
  }
  await requireNamedPoints(tx, scope, selection);
  return tx
    .select()
    .from(processPoint)
    .where(pointWhere(scope, selection))
    .orderBy(processPoint.identifier)
    .for('update');
}

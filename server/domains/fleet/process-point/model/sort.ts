import { type SQL, sql } from 'drizzle-orm';

import { ProcessPoint_TypeSchema } from '#proto/gen/hiber/process_point_pb.ts';
import {
  ListProcessPoints_Sort as Sort,
  ListProcessPoints_SortSchema,
} from '#proto/gen/hiber/process_point_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { processPoint, processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';
import { latestValue } from '#server/db/schema/value.ts';
import { tagNameJoin } from '#server/domains/fleet/device/model/tag-names.ts';

/** SQL for ORDER BY, and the joins it needs. */
interface OrderBy {
  readonly joins: SQL | undefined;
  readonly order: SQL;
}

/** Types sort by name because their numbers mean nothing to people. */
const typeNames = ProcessPoint_TypeSchema.values
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  .map(({ number }) => number);

/**
 * Joins the time of the newest value of the devices that measure a point now. Aggregating all points at once is several
 * times faster than looking up the devices of each.
 */
const activityJoin = (organizations: readonly string[], only: readonly string[] | undefined): SQL => sql`
  left join (
    select ${processPointDevice.organization} as organization, ${processPointDevice.point} as point,
           max(${latestValue.time}) as time
      from ${processPointDevice} join ${latestValue}
        on ${latestValue.organization} = ${processPointDevice.organization}
       and ${latestValue.number} = ${processPointDevice.number} and ${latestValue.time} >= ${processPointDevice.since}
       and not ${latestValue.operational}
     where ${anyOf(processPointDevice.organization, organizations)} and ${processPointDevice.until} is null
       and ${only === undefined ? sql`true` : anyOf(processPointDevice.point, only)}
     group by 1, 2
  ) as activity on activity.organization = ${processPoint.organization} and activity.point = ${processPoint.identifier}`;

export const tagTypes: ReadonlyMap<Sort, string> = new Map<Sort, string>([
  [Sort.TAG_TYPE_WELL_ASC, 'well'],
  [Sort.TAG_TYPE_WELL_DESC, 'well'],
  [Sort.TAG_TYPE_SITE_ASC, 'site'],
  [Sort.TAG_TYPE_SITE_DESC, 'site'],
  [Sort.TAG_TYPE_PRODUCTION_AREA_ASC, 'production_area'],
  [Sort.TAG_TYPE_PRODUCTION_AREA_DESC, 'production_area'],
]);

/** Returns the requested sorts that this server knows, or the default if there are none (contract: Pagination). */
export function knownSorts(requestedSorts: readonly Sort[]): Sort[] {
  const validSorts = [...new Set(requestedSorts)].filter(
    (sort) => ListProcessPoints_SortSchema.value[sort] !== undefined,
  );
  return validSorts.length > 0 ? validSorts : [Sort.NAME_ASC];
}

/**
 * Points without a value for the key come last in either direction, as devices do. The exception is INACTIVITY: points
 * that have never had a value come first. The identifier is the last key, which makes the order total.
 *
 * @param only the identifiers of the points to order, instead of all
 */
export function pointOrder(
  sorts: readonly Sort[],
  organizations: readonly string[],
  only?: readonly string[],
): OrderBy {
  const joinedTypes = new Set(sorts.flatMap((sort) => tagTypes.get(sort) ?? []));
  const joins = [...joinedTypes].map((type) =>
    tagNameJoin(
      type,
      organizations,
      { table: processPointTag, item: processPointTag.point },
      processPoint.identifier,
      only,
    ),
  );
  if (sorts.some((sort) => sort === Sort.ACTIVITY || sort === Sort.INACTIVITY))
    joins.push(activityJoin(organizations, only));
  return {
    joins: joins.length > 0 ? sql.join(joins, sql` `) : undefined,
    order: sql.join(
      [...sorts.map(orderTerm), sql`${naturalOrder(processPoint.name)}`, sql`${processPoint.identifier}`],
      sql`, `,
    ),
  };
}

function orderTerm(sort: Sort): SQL {
  const tagType = tagTypes.get(sort);
  const direction = sql.raw(ListProcessPoints_SortSchema.value[sort]?.name.endsWith('_DESC') ? 'desc' : 'asc');
  if (tagType !== undefined) return sql`${naturalOrder(sql`${sql.identifier(tagType)}.name`)} ${direction} nulls last`;
  switch (sort) {
    case Sort.ACTIVITY:
      return sql`activity.time desc nulls last`;
    case Sort.INACTIVITY:
      return sql`activity.time asc nulls first`;
    case Sort.TYPE_ASC:
    case Sort.TYPE_DESC:
      return sql`array_position(${sql.param(typeNames)}::smallint[], ${processPoint.type}) ${direction} nulls last`;
    default:
      return sql`${naturalOrder(processPoint.name)} ${direction}`;
  }
}

import { type SQL, sql } from 'drizzle-orm';

import { ListProcessPoints_Sort as Sort } from '#proto/gen/hiber/process_point_service_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { processPoint, processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';
import { tag } from '#server/db/schema/tag.ts';
import { latestValue } from '#server/db/schema/value.ts';
import type { Page } from '#server/wire/pagination.ts';

import { tagTypes } from './sort.ts';

/** With fewer points, sorting all of them is fast. */
const MIN_POINTS = 1000;
/** Pages further down the list sort all points. */
const MAX_LISTED_POINTS = 500;
/** A point can have several values, and several tags of a type. */
const VALUES_PER_POINT = 4;
const TAGS_PER_POINT = 2;

/** Descending, a point with several tags still sorts by its first one, so these points can't be found from the end. */
const ascendingSorts: ReadonlySet<Sort> = new Set([
  Sort.TAG_TYPE_WELL_ASC,
  Sort.TAG_TYPE_SITE_ASC,
  Sort.TAG_TYPE_PRODUCTION_AREA_ASC,
]);

/**
 * Finds the points that come first in order, at least as many as the page and those before it need, so not all points
 * of an organization have to be sorted. Returns undefined if they can't be found this way.
 */
export async function findFirstPoints(
  db: Executor,
  organizations: readonly string[],
  [sort]: readonly Sort[],
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
): Promise<string[] | undefined> {
  const [organization, ...others] = organizations;
  const count = offset + limit;
  if (organization === undefined || others.length > 0 || count > MAX_LISTED_POINTS) return undefined;
  const query = firstPoints(organization, sort, count);
  if (query === undefined) return undefined;
  const { rows } = await db.execute<{ point: string }>(sql`
    ${query} and exists (
      select from ${processPoint} where ${processPoint.organization} = ${organization} offset ${MIN_POINTS} limit 1
    )`);
  return rows.length < count ? undefined : rows.map(({ point }) => point);
}

function firstPoints(organization: string, sort: Sort | undefined, count: number): SQL | undefined {
  if (sort === Sort.ACTIVITY) return activePoints(organization, count * VALUES_PER_POINT);
  if (sort === undefined || !ascendingSorts.has(sort)) return undefined;
  const tagType = tagTypes.get(sort);
  return tagType === undefined ? undefined : taggedPoints(organization, tagType, count * TAGS_PER_POINT);
}

/**
 * Selects the points with the newest values. Leaves out the oldest of these values, and those of the same time, because
 * other points may have one of that time too.
 */
const activePoints = (organization: string, values: number): SQL => sql`
  select distinct ${processPointDevice.point} from (
    select number, time, min(time) over () as oldest from (
      select ${latestValue.number}, ${latestValue.time} from ${latestValue}
       where ${latestValue.organization} = ${organization} and not ${latestValue.operational}
       order by ${latestValue.time} desc limit ${values}
    ) as newest
  ) as newest
  join ${processPointDevice} on ${processPointDevice.organization} = ${organization}
   and ${processPointDevice.number} = newest.number and ${processPointDevice.since} <= newest.time
   and ${processPointDevice.until} is null
  where newest.time > newest.oldest`;

/** Selects the points with the first tags of a type. The index on the names of tags quickly finds the last of them. */
const taggedPoints = (organization: string, type: string, tags: number): SQL => sql`
  select distinct ${processPointTag.point} from ${tag}
  join ${processPointTag} on ${processPointTag.organization} = ${tag.organization} and ${processPointTag.tag} = ${tag.id}
  where ${tag.organization} = ${organization} and ${tag.type} = ${type} and ${naturalOrder(tag.name)} <= (
    select label.name from ${tag} as label
      join ${processPointTag} as link on link.organization = label.organization and link.tag = label.id
     where label.organization = ${organization} and label.type = ${type}
     order by ${naturalOrder(sql`label.name`)} offset ${tags - 1} limit 1
  )`;

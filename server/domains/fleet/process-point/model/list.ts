import { and, eq, type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { ListProcessPoints_Sort } from '#proto/gen/hiber/process_point_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { processPoint, processPointDevice, processPointTag } from '#server/db/schema/process-point.ts';
import { tag } from '#server/db/schema/tag.ts';
import { type FileRow, loadPointFiles } from '#server/domains/data/file/files.ts';
import { type DeviceScope, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import type { EventTag } from '#server/events/new-event.ts';
import type { Page } from '#server/wire/pagination.ts';

import { findFirstPoints } from './first-points.ts';
import { pointOrder } from './sort.ts';
import type { PointRow } from './where.ts';

/** A device that measures, or measured, a process point. */
export interface PointDevice {
  readonly device: Pick<
    typeof device.$inferSelect,
    | 'number'
    | 'name'
    | 'externalIds'
    | 'deviceType'
    | 'timeZone'
    | 'lastMessageSentAt'
    | 'lastMessageReceivedAt'
    | 'numericValueTypes'
  >;
  readonly level: typeof healthLevel.$inferSelect | null;
  readonly since: Date;
  readonly until: Date | null;
}

/** A process point with the related data that responses contain. */
export interface ListedPoint {
  readonly row: PointRow;
  readonly tags: readonly EventTag[];
  readonly files: readonly FileRow[];
  /** Sorted by start, newest first. */
  readonly devices: readonly PointDevice[];
}

/** The points to list, and their order. */
interface PointQuery {
  readonly where: SQL | undefined;
  /** True if every point of the scope matches. */
  readonly isUnfiltered: boolean;
  readonly sortBy: readonly ListProcessPoints_Sort[];
}

/** Lists a page of process points in order. */
export async function listPoints(
  db: Executor,
  scope: DeviceScope,
  { where: matches, isUnfiltered, sortBy }: PointQuery,
  page: Pick<Page, 'limit' | 'offset'>,
): Promise<ListedPoint[]> {
  const { limit, offset } = page;
  const firstPoints = isUnfiltered ? await findFirstPoints(db, scope.organizations, sortBy, page) : undefined;
  const { joins, order } = pointOrder(sortBy, scope.organizations, firstPoints);
  const where = firstPoints === undefined ? matches : and(matches, anyOf(processPoint.identifier, firstPoints));
  const { rows } = await db.execute<{ identifier: string }>(sql`
    select ${processPoint.identifier} from ${processPoint} ${joins ?? sql``}
     where ${where ?? sql`true`} order by ${order} limit ${limit} offset ${offset}`);
  return loadPoints(
    db,
    scope,
    rows.map(({ identifier }) => identifier),
  );
}

/** Loads process points in the order of the identifiers. */
export async function loadPoints(
  db: Executor,
  scope: DeviceScope,
  identifiers: readonly string[],
): Promise<ListedPoint[]> {
  if (identifiers.length === 0) return [];
  const { organizations } = scope;
  // The database continues while this process decodes what it has read.
  const [devices, rows, tags, files] = await Promise.all([
    loadPointDevices(db, scope, identifiers),
    db
      .select()
      .from(processPoint)
      .where(and(anyOf(processPoint.organization, organizations), anyOf(processPoint.identifier, identifiers))),
    loadPointTags(db, organizations, identifiers),
    loadPointFiles(db, organizations, identifiers),
  ]);
  const byIdentifier = new Map(rows.map((row) => [row.identifier, row]));
  return identifiers.flatMap((identifier) => {
    const row = byIdentifier.get(identifier);
    if (row === undefined) return [];
    return {
      row,
      tags: tags.get(identifier) ?? [],
      files: files.get(identifier) ?? [],
      devices: devices.get(identifier) ?? [],
    };
  });
}

/**
 * Loads the tags of process points, in TagService's order. Looks up the tags of each point, and then each tag, because
 * the planner would otherwise read all of the organization (key-rows.ts).
 */
export async function loadPointTags(
  db: Executor,
  organizations: readonly string[],
  identifiers: readonly string[],
): Promise<Map<string, EventTag[]>> {
  const { rows } = await executePrepared<EventTag & { point: string } & Record<string, unknown>>(
    db,
    sql`
    select key.point, label.* from unnest(${sql.param([...identifiers])}::text[]) as key (point)
     cross join lateral (
       select ${processPointTag.organization}, ${processPointTag.tag} from ${processPointTag}
        where ${anyOf(processPointTag.organization, organizations)} and ${processPointTag.point} = key.point offset 0
     ) as assigned
     cross join lateral (
       select ${tag.id}, ${tag.name}, ${tag.type}, ${tag.priority} from ${tag}
        where ${tag.organization} = assigned.organization and ${tag.id} = assigned.tag limit 1
     ) as label
     order by key.point, label.priority desc, ${naturalOrder(sql`label.name`)}, label.id`,
  );
  return groupBy(rows, ({ point }) => point);
}

/**
 * Loads the devices after their assignments instead of joining them, because PostgreSQL would read every device of the
 * organization for a join with a thousand assignments.
 */
async function loadPointDevices(
  db: Executor,
  scope: DeviceScope,
  identifiers: readonly string[],
): Promise<Map<string, PointDevice[]>> {
  const assignments = await db
    .select({
      organization: processPointDevice.organization,
      point: processPointDevice.point,
      number: processPointDevice.number,
      since: processPointDevice.since,
      until: processPointDevice.until,
    })
    .from(processPointDevice)
    .where(
      and(anyOf(processPointDevice.organization, scope.organizations), anyOf(processPointDevice.point, identifiers)),
    )
    .orderBy(sql`${processPointDevice.since} desc`, processPointDevice.number);
  const devices = await devicesByNumber(db, scope, [...new Set(assignments.map(({ number }) => number))]);
  const pointDevices = assignments.flatMap(({ organization, number, ...period }) => {
    const found = devices.get(deviceKey(organization, number));
    return found ? [{ ...period, ...found }] : [];
  });
  return groupBy(pointDevices, ({ point }) => point);
}

const deviceKey = (organization: string, number: string): string => `${organization} ${number}`;

/** Returns the visible ones of the devices. Organizations can have devices with the same number. */
async function devicesByNumber(
  db: Executor,
  scope: DeviceScope,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Pick<PointDevice, 'device' | 'level'>>> {
  const rows = await db
    .select({
      organization: device.organization,
      device: {
        number: device.number,
        name: device.name,
        externalIds: device.externalIds,
        deviceType: device.deviceType,
        timeZone: device.timeZone,
        lastMessageSentAt: device.lastMessageSentAt,
        lastMessageReceivedAt: device.lastMessageReceivedAt,
        numericValueTypes: device.numericValueTypes,
      },
      level: healthLevel,
    })
    .from(device)
    .leftJoin(
      healthLevel,
      and(eq(healthLevel.organization, device.organization), eq(healthLevel.level, device.healthLevel)),
    )
    .where(and(visibleDevices(scope), anyOf(device.number, numbers)));
  return new Map(rows.map(({ organization, ...row }) => [deviceKey(organization, row.device.number), row]));
}

import { and, type SQL, sql } from 'drizzle-orm';

import type { AssignmentSelection } from '#proto/gen/hiber/assignment_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { parser } from '#server/db/schema/parser.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { tag } from '#server/db/schema/tag.ts';
import { parserWhere } from '#server/domains/data/parser/model/find.ts';
import { isUnset, readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { tagWhere } from '#server/domains/fleet/device/model/tag-selection.ts';
import { type DeviceScope, deviceWhere, tagScope } from '#server/domains/fleet/device/model/where.ts';
import { pointWhere, requireNamedPoints } from '#server/domains/fleet/process-point/model/where.ts';

/** The sides of an assignment. */
export type Side = 'number' | 'tag' | 'point' | 'parser';

/** A condition on each side of an assignment; undefined for a side that is not restricted. */
export type SideConditions = Readonly<Record<Side, ((column: SQL, organization: SQL) => SQL) | undefined>>;

/**
 * Reads a selection of assignments. Each criterion restricts one side, and leaves out assignments without that side.
 * Criteria are combined with AND.
 */
export async function createSideConditions(
  db: Executor,
  scope: DeviceScope,
  selection: AssignmentSelection | undefined,
  now: Date,
): Promise<SideConditions> {
  const { modems, tags, processPoints, modemMessageBodyParsers } = selection ?? {};
  const criteria = readModemCriteria(modems, now);
  await requireIncludedDevices(db, scope, criteria);
  await requireNamedPoints(db, scope, processPoints);
  return {
    number: isUnset(modems) ? undefined : deviceAmong(deviceWhere(scope, criteria)),
    tag: isUnset(tags)
      ? undefined
      : (column, organization) =>
          sql`exists (select from ${tag} where ${and(
            sql`${tag.organization} = ${organization} and ${tag.id} = ${column}`,
            tagWhere(tagScope(scope), tags),
          )})`,
    point: isUnset(processPoints)
      ? undefined
      : (column, organization) =>
          sql`exists (select from ${processPoint} where ${and(
            sql`${processPoint.organization} = ${organization} and ${processPoint.identifier} = ${column}`,
            pointWhere(scope, processPoints),
          )})`,
    parser: isUnset(modemMessageBodyParsers)
      ? undefined
      : (column) => parserAmong(column, parserWhere(scope.home, modemMessageBodyParsers)),
  };
}

export const deviceAmong =
  (where: SQL | undefined) =>
  (column: SQL, organization: SQL): SQL =>
    sql`exists (select from ${device} where ${and(
      sql`${device.organization} = ${organization} and ${device.number} = ${column}`,
      where,
    )})`;

export const parserAmong = (column: SQL, where: SQL | undefined): SQL =>
  sql`exists (select from ${parser} where ${and(sql`${parser.identifier} = ${column}`, where)})`;

import { and, asc, type SQL, sql } from 'drizzle-orm';

import type { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import type { ValueSelection } from '#proto/gen/hiber/value_service_pb.ts';
import type { Orm } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { processPoint } from '#server/db/schema/process-point.ts';
import { findStoredPaths } from '#server/domains/data/parser/model/declared-paths.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { deviceScope, deviceWhere, visibleDevices } from '#server/domains/fleet/device/model/where.ts';
import { pointWhere, requireNamedPoints } from '#server/domains/fleet/process-point/model/where.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { type Range, readTimeRange } from '#server/wire/timestamps.ts';

/** A process point that owns values. */
export interface PointOwner {
  readonly identifier: string;
  readonly name: string;
  readonly type: ProcessPoint_Type | null;
}

/** A device that owns values. */
export interface DeviceOwner {
  readonly number: string;
  readonly name: string;
  readonly externalIds: readonly string[];
  readonly timeZone: string | null;
}

/** A parsed and authorized selection of values. */
export interface ValueCriteria {
  readonly organization: string;
  readonly owners: { readonly devices: readonly DeviceOwner[] } | { readonly points: readonly PointOwner[] };
  /** A condition on the devices of process points. */
  readonly deviceCondition: SQL | undefined;
  readonly range: Range;
  /** A condition on the columns of a value. */
  readonly where: SQL | undefined;
  /** How {@link seriesOf} divides the values into series. */
  readonly seriesBy: 'field' | 'numericType';
  readonly includeLocation: boolean;
}

/**
 * Reads a selection. Its owners determine the permission (contract: ValueService); it is rejected without owners,
 * because it would select the values of the whole fleet (not specified in the contract).
 */
export async function readSelection(
  orm: Orm,
  caller: Scope,
  selection: ValueSelection | undefined,
  now: Date,
): Promise<ValueCriteria> {
  const { ownerSelection, dataSelection } = selection ?? {};
  if (selection === undefined || ownerSelection?.case === undefined) {
    throw invalidArgument('Select the devices or the process points whose values to return.');
  }
  const { organization } = caller;
  const hasPoints = ownerSelection.case === 'processPoints';
  caller.require(hasPoints ? 'PROCESS_POINTS_VALUES' : 'MODEM_VALUES');
  const [owners, storedPaths] = await Promise.all([
    hasPoints
      ? selectPoints(orm, caller, ownerSelection.value).then((points) => ({ points }))
      : selectDevices(orm, caller, ownerSelection.value, now).then((devices) => ({ devices })),
    findStoredPaths(orm, organization, [
      ...(dataSelection?.case === 'field' ? dataSelection.value.fields : []),
      ...selection.filterEnumValues.map(({ field }) => field),
    ]),
  ]);
  return {
    organization,
    owners,
    deviceCondition: visibleDevices(deviceScope(caller)),
    range: readTimeRange(selection.timeRange, now, 'selection.time_range'),
    where: and(
      dataCondition(dataSelection, storedPaths),
      // Process points have no operational values.
      hasPoints || !selection.includeOperationalData ? sql`not operational` : undefined,
      ...selection.filterEnumValues.map(
        ({ field, include, exclude }) =>
          sql`(field <> all(${sql.param(storedPaths(field))}::text[]) or (not sealed and ${and(
            include.length > 0 ? sql`text = any(${sql.param(include)}::text[])` : sql`true`,
            exclude.length > 0 ? sql`text <> all(${sql.param(exclude)}::text[])` : undefined,
          )}))`,
      ),
    ),
    seriesBy: dataSelection?.case === 'valueType' ? 'numericType' : 'field',
    includeLocation: selection.includeLocation ?? false,
  };
}

type OwnerSelection<Case> = Extract<ValueSelection['ownerSelection'], { case: Case }>['value'];

async function selectDevices(
  orm: Orm,
  caller: Scope,
  selection: OwnerSelection<'devices'>,
  now: Date,
): Promise<DeviceOwner[]> {
  const scope = deviceScope(caller);
  const criteria = readModemCriteria(selection, now);
  const rows = await orm
    .select(ownerColumns)
    .from(device)
    .where(deviceWhere(scope, criteria))
    .orderBy(asc(device.number));
  await requireIncludedDevices(orm, scope, criteria, rows);
  return rows;
}

/** The columns of a {@link DeviceOwner}. */
export const ownerColumns = {
  number: device.number,
  name: device.name,
  externalIds: device.externalIds,
  timeZone: device.timeZone,
};

async function selectPoints(
  orm: Orm,
  caller: Scope,
  selection: OwnerSelection<'processPoints'>,
): Promise<PointOwner[]> {
  const scope = deviceScope(caller);
  await requireNamedPoints(orm, scope, selection);
  return orm
    .select({ identifier: processPoint.identifier, name: processPoint.name, type: processPoint.type })
    .from(processPoint)
    .where(pointWhere(scope, selection))
    .orderBy(asc(naturalOrder(processPoint.name)), asc(processPoint.identifier));
}

function dataCondition(
  data: ValueSelection['dataSelection'] | undefined,
  storedPaths: (path: string) => readonly string[],
): SQL | undefined {
  if (data?.case === 'field') {
    const fields = [...new Set(data.value.fields.flatMap(storedPaths))];
    return fields.length > 0 ? sql`field = any(${sql.param(fields)}::text[])` : undefined;
  }
  if (data?.case !== 'valueType') return undefined;
  const { numericValueType: numericTypes, valueType: types } = data.value;
  if (numericTypes.length + types.length === 0) return undefined;
  // Numeric types restrict the numbers, and value types the kinds of values; either alone leaves out all others.
  const kinds = types.filter((type) => type !== ValueType.NUMERIC || numericTypes.length === 0);
  return sql`(type = any(${sql.param(kinds)}::smallint[]) or numeric_type = any(${sql.param(numericTypes)}::smallint[]))`;
}

/** Selecting values by numeric type leaves out those of unknown type (contract: ValueService). */
export const withKnownType: SQL = sql`numeric_type is not null
  and numeric_type not in (${sql.raw(String(NumericType.TYPE_UNKNOWN))}, ${sql.raw(String(NumericType.OTHER))})`;

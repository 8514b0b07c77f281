import { and, asc, type SQL, sql } from 'drizzle-orm';

import type { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';
import type { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import type { ValueSelection } from '#proto/gen/hiber/value_service_pb.ts';
import type { Orm } from '#server/db/database.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { device } from '#server/db/schema/device.ts';
import { processPoint, processPointDevice } from '#server/db/schema/process-point.ts';
import { latestValue, value } from '#server/db/schema/value.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import {
  deviceScope,
  deviceWhere,
  requireIncludedDevices,
  visibleDevices,
} from '#server/domains/fleet/device/model/where.ts';
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

/** A parsed and authorized selection of values. */
export interface ValueCriteria {
  readonly organization: string;
  /** The owners: devices by number, or process points. */
  readonly owners: { readonly numbers: readonly string[] } | { readonly points: readonly PointOwner[] };
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
  const hasPoints = ownerSelection.case === 'processPoints';
  caller.require(hasPoints ? 'PROCESS_POINTS_VALUES' : 'MODEM_VALUES');
  return {
    organization: caller.organization,
    owners: hasPoints
      ? { points: await selectPoints(orm, caller, ownerSelection.value) }
      : { numbers: await selectDevices(orm, caller, ownerSelection.value, now) },
    deviceCondition: visibleDevices(deviceScope(caller)),
    range: readTimeRange(selection.timeRange, now, 'selection.time_range'),
    where: and(
      dataCondition(dataSelection),
      // Process points have no operational values.
      hasPoints || !selection.includeOperationalData ? sql`not operational` : undefined,
      ...selection.filterEnumValues.map(
        ({ field, include, exclude }) =>
          sql`(field <> ${field} or (not sealed and ${and(
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
): Promise<string[]> {
  const scope = deviceScope(caller);
  const criteria = readModemCriteria(selection, now);
  await requireIncludedDevices(orm, scope, criteria);
  const rows = await orm
    .select({ number: device.number })
    .from(device)
    .where(deviceWhere(scope, criteria))
    .orderBy(asc(device.number));
  return rows.map(({ number }) => number);
}

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

function dataCondition(data: ValueSelection['dataSelection'] | undefined): SQL | undefined {
  if (data?.case === 'field') {
    const { fields } = data.value;
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

/** The columns of selected values. */
export interface ValueColumns {
  /** Device number, or identifier of the process point. */
  readonly owner: string;
  readonly number: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly field: string;
  readonly parser: string;
  readonly type: ValueType;
  readonly numericType: NumericType | null;
  readonly unit: UnitOfMeasurement | null;
  readonly numeric: number | null;
  readonly text: string | null;
  readonly sealed: boolean;
}

const columns: { readonly [Name in keyof ValueColumns]: SQL } = {
  owner: sql`owner`,
  number: sql`number`,
  time: sql`(extract(epoch from time) * 1000)::float8`,
  field: sql`field`,
  parser: sql`parser`,
  type: sql`type`,
  numericType: sql`numeric_type`,
  unit: sql`unit`,
  numeric: sql`numeric`,
  text: sql`text`,
  sealed: sql`sealed`,
};

/** The values of each column, in the order of the rows. */
export type ValueLists = { readonly [Name in keyof ValueColumns]: readonly ValueColumns[Name][] };

/** Selects {@link ValueLists} from the rows of a query below. One row of lists is faster to read than many rows. */
export const selectLists: SQL = sql.join(
  Object.entries(columns).map(([name, column]) => sql`coalesce(json_agg(${column}), '[]') as ${sql.identifier(name)}`),
  sql`, `,
);

export function toRows(lists: ValueLists): ValueColumns[] {
  return lists.owner.map((owner, index) => {
    const at = <Item>(list: readonly Item[]) => list[index] as Item;
    return {
      owner,
      number: at(lists.number),
      time: at(lists.time),
      field: at(lists.field),
      parser: at(lists.parser),
      type: at(lists.type),
      numericType: at(lists.numericType),
      unit: at(lists.unit),
      numeric: at(lists.numeric),
      text: at(lists.text),
      sealed: at(lists.sealed),
    };
  });
}

/** The columns that the queries below select, besides the owner. */
export const DATA = sql`number, time, field, message, parser, type, numeric_type, unit, numeric, text, sealed`;

const timeBounds = ({ start, end }: Range): SQL | undefined =>
  and(start && sql`time >= ${start.toISOString()}::timestamptz`, end && sql`time <= ${end.toISOString()}::timestamptz`);

/** Selects all values of the owners. A value that belongs to several process points is selected once for each. */
export function valuesQuery(criteria: ValueCriteria): SQL {
  const { organization, owners, where, range, includeLocation } = criteria;
  const bounds = timeBounds(range);
  const source = (columns: SQL, condition: SQL | undefined, tail: SQL = sql``): SQL =>
    'numbers' in owners
      ? sql`select number as owner, ${columns} from ${value}
          where ${and(
            sql`organization = ${organization} and number = any(${sql.param([...owners.numbers])}::text[])`,
            bounds,
            condition,
          )} ${tail}`
      : sql`select link.point as owner, measured.* from (${periods(criteria, owners.points)}) as link
          cross join lateral (
            select ${columns} from ${value}
             where ${and(
               sql`organization = ${organization} and number = link.number and time >= link.since
                 and (link.until is null or time < link.until)
                 and (link.shared_fields = '{}' or field = any(link.shared_fields))`,
               bounds,
               condition,
             )}
          ) as measured ${tail}`;
  if (!includeLocation) return source(DATA, where);
  // The location isn't a field, but is presented like one.
  const located = source(
    sql`number, time, 'location' as field, message, parser, ${sql.raw(String(ValueType.TEXT))}::smallint as type,
      null::smallint as numeric_type, null::smallint as unit, null::float8 as numeric,
      '[' || latitude || ',' || longitude || ']' as text, false as sealed`,
    sql`latitude is not null and longitude is not null`,
  );
  return sql`${source(DATA, where)} union all
    select distinct on (owner, number, time) * from (${located}) as located`;
}

/** Selects the times during which visible devices measured process points. */
const periods = ({ organization, deviceCondition }: ValueCriteria, points: readonly PointOwner[]): SQL => sql`
  select link.point, link.number, link.since, link.until, link.shared_fields from ${processPointDevice} as link
    join ${device} on ${device.organization} = link.organization and ${device.number} = link.number
   where ${and(
     sql`link.organization = ${organization}
       and link.point = any(${sql.param(points.map(({ identifier }) => identifier))}::text[])`,
     deviceCondition,
   )}`;

/**
 * Selects the newest value of each owner and series. For devices, and for the current devices of process points, reads
 * the stored newest values. For past periods and ranges, looks up each field from the end of the period.
 */
export function latestQuery(criteria: ValueCriteria): SQL {
  const { organization, owners, where, range } = criteria;
  const series = seriesOf(criteria);
  const lookUp = (number: SQL, condition: SQL | undefined) => sql`
    select newest.* from ${latestValue} as known cross join lateral (
      select ${DATA}, operational from ${value}
       where ${and(
         sql`organization = ${organization} and number = ${number} and field = known.field`,
         timeBounds(range),
         condition,
       )} order by time desc, message desc limit 1
    ) as newest where known.organization = ${organization} and known.number = ${number}`;
  const stored = (number: SQL, condition: SQL | undefined) => sql`
    select ${DATA}, operational from ${latestValue}
     where ${and(sql`organization = ${organization} and number = ${number}`, timeBounds(range), condition)}`;
  const inRange = range.end === undefined ? stored : lookUp;
  const rows =
    'numbers' in owners
      ? sql`select listed.number as owner, found.* from unnest(${sql.param([...owners.numbers])}::text[]) as listed (number)
          cross join lateral (${inRange(sql`listed.number`, undefined)}) as found`
      : sql`select link.point as owner, found.* from (${periods(criteria, owners.points)}) as link cross join lateral (
            ${inRange(sql`link.number`, sql`link.until is null and time >= link.since`)}
            union all
            ${lookUp(sql`link.number`, sql`link.until is not null and time >= link.since and time < link.until`)}
          ) as found where link.shared_fields = '{}' or found.field = any(link.shared_fields)`;
  return sql`select distinct on (owner, ${series}) * from (${rows}) as candidate
    where ${where ?? sql`true`} order by owner, ${series}, time desc, message desc`;
}

/** The series of a value as SQL: its field or, if numbers are selected by type, its numeric type. */
export const seriesOf = ({ seriesBy }: Pick<ValueCriteria, 'seriesBy'>): SQL =>
  seriesBy === 'field' ? sql`field` : sql`coalesce(numeric_type::text, field)`;

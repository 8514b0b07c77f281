import { and, type SQL, sql } from 'drizzle-orm';

import type { UnitOfMeasurement } from '#proto/gen/hiber/unit_pb.ts';
import { type Value_Numeric_Type as NumericType, Value_Type as ValueType } from '#proto/gen/hiber/value_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { processPointDevice } from '#server/db/schema/process-point.ts';
import { latestValue, value } from '#server/db/schema/value.ts';
import type { Range } from '#server/wire/timestamps.ts';

import type { PointOwner, ValueCriteria } from './selection.ts';

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

/**
 * The columns that the queries below select, besides the owner. Those that are compared most come first, because
 * reading a column of a stored row takes longer the more columns are before it.
 */
export const DATA = sql`time, numeric, field, number, message, parser, type, numeric_type, unit, text, sealed`;

const timeBounds = ({ start, end }: Range): SQL | undefined =>
  and(start && sql`time >= ${start.toISOString()}::timestamptz`, end && sql`time <= ${end.toISOString()}::timestamptz`);

/** Selects all values of the owners. A value that belongs to several process points is selected once for each. */
export function valuesQuery(criteria: ValueCriteria): SQL {
  const { organization, owners, where, range, includeLocation } = criteria;
  const bounds = timeBounds(range);
  const source = (columns: SQL, condition: SQL | undefined, tail: SQL = sql``): SQL =>
    'devices' in owners
      ? sql`select number as owner, ${columns} from ${value}
          where ${and(
            sql`organization = ${organization} and number = any(${sql.param(owners.devices.map(({ number }) => number))}::text[])`,
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
    sql`time, null::float8 as numeric, 'location' as field, number, message, parser,
      ${sql.raw(String(ValueType.TEXT))}::smallint as type, null::smallint as numeric_type, null::smallint as unit,
      '[' || latitude || ',' || longitude || ']' as text, false as sealed`,
    sql`latitude is not null and longitude is not null`,
  );
  return sql`${source(DATA, where)} union all (
    select distinct on (owner, number, time) * from (${located}) as located
     order by owner, number, time, message, parser)`;
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
         sql`organization = ${organization} and number = ${number} and field = known.field
           and operational = known.operational`,
         timeBounds(range),
         condition,
       )} order by time desc, message desc limit 1
    ) as newest where known.organization = ${organization} and known.number = ${number}`;
  const stored = (number: SQL, condition: SQL | undefined) => sql`
    select ${DATA}, operational from ${latestValue}
     where ${and(sql`organization = ${organization} and number = ${number}`, timeBounds(range), condition)}`;
  const inRange = range.end === undefined ? stored : lookUp;
  const rows =
    'devices' in owners
      ? sql`select listed.number as owner, found.* from unnest(${sql.param(owners.devices.map(({ number }) => number))}::text[]) as listed (number)
          cross join lateral (${inRange(sql`listed.number`, undefined)}) as found`
      : sql`select link.point as owner, found.* from (${periods(criteria, owners.points)}) as link cross join lateral (
            ${inRange(sql`link.number`, sql`link.until is null and time >= link.since`)}
            union all
            ${lookUp(sql`link.number`, sql`link.until is not null and time >= link.since and time < link.until`)}
          ) as found where link.shared_fields = '{}' or found.field = any(link.shared_fields)`;
  // Several fields of a message can have the same numeric type. The field decides, so a list and a panel agree.
  return sql`select distinct on (owner, ${series}) * from (${rows}) as candidate
    where ${where ?? sql`true`} order by owner, ${series}, time desc, message desc, field, parser`;
}

/** The series of a value as SQL: its field or, if numbers are selected by type, its numeric type. */
export const seriesOf = ({ seriesBy }: Pick<ValueCriteria, 'seriesBy'>): SQL =>
  seriesBy === 'field' ? sql`field` : sql`coalesce(numeric_type::text, field)`;

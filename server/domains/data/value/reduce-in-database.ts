import { type SQL, sql } from 'drizzle-orm';

import { inBaseUnit } from './base-unit.ts';
import { DATA, seriesOf, valuesQuery } from './query.ts';
import type { ValueCriteria } from './selection.ts';

/** How to reduce each series. */
export interface Reduction {
  readonly buckets: number;
  /** A series with no more values stays unchanged. */
  readonly limit: number;
}

/** Selects the reduced values (downsample.ts). */
export function reducedQuery(criteria: ValueCriteria, { buckets, limit }: Reduction): SQL {
  const { series, comparable } = seriesColumns(criteria);
  // The end of a series belongs to its last bucket, and a series at a single time has only one bucket.
  const position = sql`width_bucket(${epochOf(sql`time`)}, first_at, last_at, ${buckets}::int)`;
  const bucketOf = sql`coalesce(least(${position}, ${buckets}), 1)`;
  return sql`
    -- Reading the values twice takes less time than storing them in between.
    with selected as not materialized (${withSeries(criteria)}),
    whole as (
      select owner, ${series}, count(*) > ${limit} as is_reduced, ${epochOf(sql`min(time)`)} as first_at,
        nullif(${epochOf(sql`max(time)`)}, ${epochOf(sql`min(time)`)}) as last_at,
        (row_number() over () - 1) * ${buckets} as first_bucket
        from selected group by owner, ${series}
    ),
    -- A bucket has a number of its own, because a number is faster to group and join by than its series. Values of a
    -- series that stays unchanged have none.
    bucketed as materialized (
      select case when is_reduced then first_bucket + ${bucketOf} end as bucket, selected.*
        from selected join whole using (owner, ${series})
    ),
    bounds as (
      select bucket, min(time) as first_time, max(time) as last_time, min(${comparable}) as lowest,
        max(${comparable}) as highest
        from bucketed where bucket is not null group by bucket
    ),
    -- Only these are sorted: few values, unless many in a bucket are equal.
    candidates as (
      select bucketed.*, lowest, highest from bucketed join bounds using (bucket)
       where time in (first_time, last_time) or ${comparable} in (lowest, highest)
    ),
    -- Of equal extremes, a bucket keeps the first.
    ranked as (
      select *, row_number() over bucket_rows as first_rank, lead(time) over bucket_rows is null as is_last,
        ${comparable} = lowest and count(*) filter (where ${comparable} = lowest) over bucket_rows = 1 as is_lowest,
        ${comparable} = highest and count(*) filter (where ${comparable} = highest) over bucket_rows = 1 as is_highest
        from candidates window bucket_rows as (partition by bucket order by ${TIME_ORDER} rows unbounded preceding)
    )
    select ${REDUCED} from bucketed where bucket is null union all
    select ${REDUCED} from ranked where first_rank = 1 or is_last or is_lowest or is_highest`;
}

/** A double, which is much faster to calculate with than the numeric that extract returns. */
const epochOf = (time: SQL): SQL => sql`date_part('epoch', ${time})`;

/** Of several values at the same time, the one with the earliest message is first. */
const TIME_ORDER = sql`time, message, number, field, parser`;

/** The columns of reduced values. */
const REDUCED = sql`owner, ${DATA}`;

/** Selects the lowest or highest number in each series of each owner. */
export function extremesQuery(criteria: ValueCriteria, extreme: 'lowest' | 'highest'): SQL {
  const { series, comparable } = seriesColumns(criteria);
  return sql`
    select * from (
      select distinct on (owner, ${series}) * from (${withSeries(criteria)}) as selected where ${comparable} is not null
       order by owner, ${series}, ${comparable} ${sql.raw(extreme === 'lowest' ? 'asc' : 'desc')}, ${TIME_ORDER}
    ) as extreme order by owner, ${series}`;
}

/**
 * The columns of {@link withSeries} with a value's series, and with its number in the same unit for the whole series:
 * fields of the same numeric type may have several units.
 */
const seriesColumns = ({ seriesBy }: ValueCriteria): { readonly series: SQL; readonly comparable: SQL } =>
  seriesBy === 'field'
    ? { series: sql`field`, comparable: sql`numeric` }
    : { series: sql`series`, comparable: sql`comparable` };

/** Adds the columns of the series only where they differ from those of the value, because storing them takes time. */
const withSeries = (criteria: ValueCriteria): SQL =>
  criteria.seriesBy === 'field'
    ? valuesQuery(criteria)
    : sql`select *, ${seriesOf(criteria)} as series, ${inBaseUnit} as comparable
        from (${valuesQuery(criteria)}) as value`;

import { and, type SQL, sql } from 'drizzle-orm';

import { inBaseUnit } from './base-unit.ts';
import { DATA, seriesOf, valuesQuery } from './query.ts';
import { type ValueCriteria, withKnownType } from './selection.ts';

/** A bucket keeps its first, lowest, highest, and last value. */
const PER_BUCKET = 4;

/**
 * Reduces each series of each owner to at most `points` values, but to no fewer than four, with M4: the series' time is
 * divided into equal buckets, and each bucket keeps its first, lowest, highest, and last value. Peaks therefore
 * survive, and a line drawn through the result covers the same pixels as a line through all values, if the chart is no
 * wider than the number of buckets. Averages and LTTB, in contrast, lose peaks. Text and enums keep the first and last
 * of a bucket. A series that is short enough stays unchanged.
 *
 * The database does the work, so only the reduced values leave it.
 */
export function downsampledQuery(criteria: ValueCriteria, points: number): SQL {
  const buckets = Math.max(1, Math.floor(points / PER_BUCKET));
  const limit = Math.max(points, PER_BUCKET);
  // date_part returns a double, which is much faster to calculate with than the numeric that extract returns.
  const bucketOf = sql`floor((date_part('epoch', time) - first_at) / nullif(last_at - first_at, 0) * ${buckets})`;
  return sql`
    -- Reading the values twice takes less time than storing them in between.
    with selected as not materialized (${withSeries(criteria)}),
    whole as (
      select owner, series, count(*) > ${limit} as is_reduced, date_part('epoch', min(time)) as first_at,
        date_part('epoch', max(time)) as last_at, (row_number() over () - 1) * ${buckets} as first_bucket
        from selected group by owner, series
    ),
    -- A bucket has a number of its own, because a number is faster to group and join by than its series.
    bucketed as materialized (
      select selected.*, is_reduced, first_bucket + coalesce(least(${bucketOf}, ${buckets - 1}), 0) as bucket
        from selected join whole using (owner, series)
    ),
    bounds as (
      select bucket, min(time) as first_time, max(time) as last_time, min(comparable) as lowest,
        max(comparable) as highest
        from bucketed where is_reduced group by bucket
    ),
    -- Only these are sorted: few values, unless many in a bucket are equal.
    candidates as (
      select bucketed.*, lowest, highest from bucketed join bounds using (bucket)
       where is_reduced and (time in (first_time, last_time) or comparable in (lowest, highest))
    ),
    -- Of equal extremes, a bucket keeps the first.
    ranked as (
      select *, row_number() over bucket_rows as first_rank, lead(time) over bucket_rows is null as is_last,
        comparable = lowest and count(*) filter (where comparable = lowest) over bucket_rows = 1 as is_lowest,
        comparable = highest and count(*) filter (where comparable = highest) over bucket_rows = 1 as is_highest
        from candidates window bucket_rows as (partition by bucket order by time, message rows unbounded preceding)
    )
    select ${REDUCED} from bucketed where not is_reduced union all
    select ${REDUCED} from ranked where first_rank = 1 or is_last or is_lowest or is_highest`;
}

/** The columns of reduced values. */
const REDUCED = sql`owner, series, ${DATA}`;

/** Selects the lowest or highest number in each series of each owner. */
export const extremesQuery = (criteria: ValueCriteria, extreme: 'lowest' | 'highest'): SQL => sql`
  select * from (
    select distinct on (owner, series) * from (${withSeries(criteria)}) as selected where comparable is not null
     order by owner, series, comparable ${sql.raw(extreme === 'lowest' ? 'asc' : 'desc')}, time
  ) as extreme order by owner, series`;

const withSeries = (criteria: ValueCriteria): SQL =>
  sql`select *, ${seriesOf(criteria)} as series, ${comparable(criteria)} as comparable from (${valuesQuery(criteria)}) as value`;

/** The number as SQL, in the same unit for the whole series: fields of the same numeric type may have several units. */
const comparable = ({ seriesBy }: ValueCriteria): SQL => (seriesBy === 'field' ? sql`numeric` : inBaseUnit);

/** Reads the criteria for numbers by type, if the request selects neither fields nor types (contract: ValueService). */
export const byKnownType = (criteria: ValueCriteria): ValueCriteria => ({
  ...criteria,
  seriesBy: 'numericType',
  where: and(criteria.where, withKnownType),
});

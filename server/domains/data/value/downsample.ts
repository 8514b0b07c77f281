import { and, type SQL, sql } from 'drizzle-orm';

import { inBaseUnit } from './base-unit.ts';
import { selectColumns, seriesOf, type ValueCriteria, valuesQuery, withKnownType } from './selection.ts';

/** A bucket keeps its first, lowest, highest and last value. */
const PER_BUCKET = 4;

/**
 * Reduces each series of each owner to at most `points` values, but to no fewer than four, with M4: the series' time is
 * divided into equal buckets, and each bucket keeps its first, lowest, highest and last value. Peaks therefore
 * survive, and a line drawn through the result covers the same pixels as a line through all values, if the chart is no
 * wider than the number of buckets. Averages and LTTB, in contrast, lose peaks. Text and enums keep the first and last
 * of a bucket. A series that is short enough stays as it is.
 *
 * The database does the work, so only the reduced values leave it.
 */
export function downsampledQuery(criteria: ValueCriteria, points: number): SQL {
  const buckets = Math.max(1, Math.floor(points / PER_BUCKET));
  const limit = Math.max(points, PER_BUCKET);
  const rank = (order: SQL) => sql`row_number() over (partition by owner, series, bucket order by ${order})`;
  return sql`
    with selected as (${withSeries(criteria)}),
    measured as (
      select *, count(*) over whole as total, extract(epoch from time) as at,
        extract(epoch from min(time) over whole) as first_at, extract(epoch from max(time) over whole) as last_at
        from selected window whole as (partition by owner, series)
    ),
    bucketed as (
      select *, case when total > ${limit} then
        least(floor((at - first_at) / nullif(last_at - first_at, 0) * ${buckets}), ${buckets - 1}) end as bucket
        from measured
    ),
    ranked as (
      select *, ${rank(sql`time, message`)} as first_rank, ${rank(sql`time desc, message desc`)} as last_rank,
        ${rank(sql`comparable, time`)} as low_rank, ${rank(sql`comparable desc nulls last, time`)} as high_rank
        from bucketed
    )
    select * from ranked where total <= ${limit} or first_rank = 1 or last_rank = 1
      or (comparable is not null and (low_rank = 1 or high_rank = 1))`;
}

/** Selects the lowest, or the highest, number of each series of each owner. */
export const extremesQuery = (criteria: ValueCriteria, extreme: 'lowest' | 'highest'): SQL => sql`
  select ${selectColumns} from (
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

import { and, type SQL, sql } from 'drizzle-orm';

import { ListValues_Sort as Sort } from '#proto/gen/hiber/value_service_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Page } from '#server/wire/pagination.ts';

import { type ColumnValues, readColumns, rowAt } from './columns.ts';
import { loadPage, loadValues, openValues, type ValuePage } from './load.ts';
import type { ValueColumns } from './query.ts';
import { extremesQuery, reducedQuery } from './reduce-in-database.ts';
import { findExtremes, reduceValues } from './reduce-in-server.ts';
import { type ValueCriteria, withKnownType } from './selection.ts';

/** A bucket keeps its first, lowest, highest, and last value, so a series has at least as many points. */
export const MIN_POINTS = 4;

/**
 * The maximum number of values to reduce in the server's memory, where each takes about 100 bytes until it is reduced.
 */
const MAX_SERVER_VALUES = 200_000;

interface Options {
  /** At least {@link MIN_POINTS}. */
  readonly points: number;
  readonly sort: Sort;
  readonly page: Page;
  /** True to find the lowest and highest number of each series. */
  readonly withExtremes: boolean;
}

interface DownsampledPage extends ValuePage {
  readonly lowest: readonly ValueColumns[];
  readonly highest: readonly ValueColumns[];
}

/**
 * Reduces each series of each owner to at most `points` values with M4: the series' time is divided into equal buckets,
 * and each bucket keeps its first, lowest, highest, and last value. Peaks therefore survive, and a line drawn through
 * the result covers the same pixels as a line through all values, if the chart is no wider than the number of buckets.
 * Averages and LTTB, in contrast, lose peaks. Text and enums keep the first and last of a bucket. A series that is
 * short enough stays unchanged.
 *
 * The server reduces the values because the database takes three times as long. The database reduces large selections,
 * which would take too much of the server's memory, with the same result.
 */
export async function downsample(
  app: Pick<App, 'db' | 'secrets'>,
  criteria: ValueCriteria,
  options: Options,
  maxServerValues = MAX_SERVER_VALUES,
): Promise<DownsampledPage> {
  const values = await readColumns((query) => app.db.orm.execute(query), criteria, maxServerValues);
  return values === undefined
    ? downsampleInDatabase(app, criteria, options)
    : downsampleInServer(app, criteria, options, values);
}

const reductionTo = (points: number) => ({ buckets: Math.floor(points / MIN_POINTS), limit: points });

function downsampleInServer(
  { secrets }: Pick<App, 'secrets'>,
  criteria: ValueCriteria,
  { points, sort, page, withExtremes }: Options,
  values: ColumnValues,
): DownsampledPage {
  const kept = reduceValues(values, criteria, reductionTo(points)).toSorted(compareIn(values, sort));
  const toRows = (indexes: readonly number[]) =>
    openValues(
      secrets,
      indexes.map((index) => rowAt(values, index)),
    );
  return {
    rows: toRows(kept.slice(page.offset, page.offset + page.limit)),
    total: kept.length,
    lowest: withExtremes ? toRows(findExtremes(values, criteria, 'lowest')) : [],
    highest: withExtremes ? toRows(findExtremes(values, criteria, 'highest')) : [],
  };
}

async function downsampleInDatabase(
  app: Pick<App, 'db' | 'secrets'>,
  criteria: ValueCriteria,
  { points, sort, page, withExtremes }: Options,
): Promise<DownsampledPage> {
  const reduced = await loadPage(app, reducedQuery(criteria, reductionTo(points)), timeOrder(sort), page);
  return {
    ...reduced,
    lowest: withExtremes ? await loadValues(app, extremesQuery(criteria, 'lowest')) : [],
    highest: withExtremes ? await loadValues(app, extremesQuery(criteria, 'highest')) : [],
  };
}

/** A total order: no two values have the same owner, device, field, time, message, and parser. */
export const timeOrder = (sort: Sort): SQL =>
  sql`value.time ${sql.raw(sort === Sort.TIME_DESCENDING ? 'desc' : 'asc')}, owner, number, field, message, parser`;

/** Compares values by index in the order that {@link timeOrder} is in the database. */
function compareIn({ parts, part, time, message }: ColumnValues, sort: Sort): (a: number, b: number) => number {
  const direction = sort === Sort.TIME_DESCENDING ? -1 : 1;
  // Parts of a field that differ in their parser have the same place, because the message is compared first.
  const places = new Uint16Array(parts.length);
  for (const [index, { owner, number, field }] of parts.entries()) {
    const before = parts[index - 1];
    const isSame = before?.owner === owner && before.number === number && before.field === field;
    places[index] = before === undefined ? 0 : (places[index - 1] ?? 0) + (isSame ? 0 : 1);
  }
  const placeOf = (index: number): number => places[part[index] ?? 0] ?? 0;
  return (a, b) =>
    direction * ((time[a] ?? 0) - (time[b] ?? 0)) ||
    placeOf(a) - placeOf(b) ||
    (message[a] ?? 0) - (message[b] ?? 0) ||
    (part[a] ?? 0) - (part[b] ?? 0);
}

/** Reads the criteria for numbers by type, if the request selects neither fields nor types (contract: ValueService). */
export const byKnownType = (criteria: ValueCriteria): ValueCriteria => ({
  ...criteria,
  seriesBy: 'numericType',
  where: and(criteria.where, withKnownType),
});

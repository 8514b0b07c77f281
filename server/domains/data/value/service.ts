import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { type SQL, sql } from 'drizzle-orm';

import {
  DownsampledValues_RequestSchema,
  DownsampledValues_ResponseSchema,
  LatestValues_RequestSchema,
  LatestValues_ResponseSchema,
  type ListValues_Request,
  ListValues_RequestSchema,
  ListValues_ResponseSchema,
  ListValues_Sort as Sort,
  type ValueContext,
  ValueService,
  ValueTransformation,
} from '#proto/gen/hiber/value_service_pb.ts';
import { service } from '#server/app/service.ts';
import { countApproximately } from '#server/db/approximate-total.ts';
import { openValue } from '#server/domains/data/parser/model/sealed-value.ts';
import { scope } from '#server/session/scope.ts';
import { unitPreferencesOf } from '#server/session/unit-preferences.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { effectivePagination, type Page, readPage, paginationResult } from '#server/wire/pagination.ts';
import { presentDuration } from '#server/wire/present.ts';

import { byKnownType, downsampledQuery, extremesQuery } from './downsample.ts';
import { type ValuePresenter, createValuePresenter } from './present.ts';
import { latestQuery, toRows, selectLists, type ValueColumns, type ValueLists, valuesQuery } from './query.ts';
import { readSelection, type ValueCriteria } from './selection.ts';
import { computeDeltas, computeDurations } from './transform.ts';

/** The maximum number of values that one call transforms. */
const MAX_TRANSFORMED_VALUES = 50_000;
/** The maximum number of points in a series and in a page, so a chart of several series fits into one response. */
const MAX_POINTS = 10_000;

type Loaded = ValueLists & Record<string, unknown>;

export const valueService = service(ValueService, (app) => {
  const { orm } = app.db;
  /** Loads the rows of a query, in order. */
  const load = async (query: SQL): Promise<ValueColumns[]> => {
    const { rows } = await orm.execute<Loaded>(sql`select ${selectLists} from (${query}) as value`);
    return rows.flatMap(openRows);
  };
  /** Loads a page of a query and counts its rows. */
  const loadPage = async (query: SQL, order: SQL, { limit, offset }: Page) => {
    const { rows } = await orm.execute<Loaded & { total: number }>(sql`
      with value as materialized (${query})
      select ${selectLists}, (select count(*)::int from value) as total
        from (select * from value order by ${order} limit ${limit} offset ${offset}) as page`);
    return { rows: rows.flatMap(openRows), total: rows[0]?.total ?? 0 };
  };
  const openRows = (lists: ValueLists): ValueColumns[] => toRows(lists).map((row) => openValue(app.secrets, row));
  const presenterFor = (criteria: ValueCriteria, rows: readonly ValueColumns[], context: HandlerContext) =>
    createValuePresenter(orm, criteria, rows, unitPreferencesOf(context));

  return {
    async list(request, context) {
      const caller = scope(context);
      const criteria = await readSelection(orm, caller, request.selection, app.now());
      const requestedPage = readPage(request.pagination);
      const echo = create(ListValues_RequestSchema, {
        ...request,
        organization: caller.organization,
        pagination: effectivePagination(requestedPage),
      });
      if (Object.keys(request.transformFields).length > 0) {
        const rows = await load(sql`
          select * from (${valuesQuery(criteria)}) as value
           order by value.time, owner, number, field limit ${MAX_TRANSFORMED_VALUES + 1}`);
        if (rows.length > MAX_TRANSFORMED_VALUES) {
          throw invalidArgument(
            `Only ${MAX_TRANSFORMED_VALUES} values can be transformed at a time. Select fewer, or a shorter time range.`,
          );
        }
        const presenter = await presenterFor(criteria, rows, context);
        const end = (criteria.range.end ?? app.now()).getTime();
        const values = transform(rows, request, presenter, end);
        return create(ListValues_ResponseSchema, {
          values: values.slice(requestedPage.offset, requestedPage.offset + requestedPage.limit),
          pagination: paginationResult(requestedPage, values.length),
          request: echo,
        });
      }
      const source = sql`(${valuesQuery(criteria)}) as value`;
      const rows = await load(sql`
        select * from ${source} order by ${timeOrder(request.sort)}
         limit ${requestedPage.limit} offset ${requestedPage.offset}`);
      const { total, approximated } = await countApproximately(orm, source, requestedPage, rows.length);
      const presenter = await presenterFor(criteria, rows, context);
      return create(ListValues_ResponseSchema, {
        values: rows.map((row) => presentRow(presenter, row)),
        pagination: paginationResult(requestedPage, total, approximated),
        request: echo,
      });
    },

    async downsampled(request, context) {
      const caller = scope(context);
      const selectedValues = await readSelection(orm, caller, request.selection, app.now());
      const criteria =
        request.selection?.dataSelection.case === undefined ? byKnownType(selectedValues) : selectedValues;
      const requestedPage = readPage(request.pagination, { max: MAX_POINTS });
      const points = request.points || requestedPage.size;
      if (points > MAX_POINTS) throw invalidArgument(`Values can be reduced to at most ${MAX_POINTS} points.`);
      const reduced = downsampledQuery(criteria, points);
      const { rows, total } = await loadPage(reduced, timeOrder(request.sort), requestedPage);
      const withExtremes = request.determineMinimumAndMaximumValues ?? false;
      const lowest = withExtremes ? await load(extremesQuery(criteria, 'lowest')) : [];
      const highest = withExtremes ? await load(extremesQuery(criteria, 'highest')) : [];
      const presenter = await presenterFor(criteria, [...rows, ...lowest, ...highest], context);
      const presentValue = (row: ValueColumns) => presentRow(presenter, row);
      return create(DownsampledValues_ResponseSchema, {
        downsampledValues: rows.map(presentValue),
        lowest: lowest.map(presentValue),
        highest: highest.map(presentValue),
        pagination: paginationResult(requestedPage, total),
        request: create(DownsampledValues_RequestSchema, {
          ...request,
          organization: caller.organization,
          points,
          pagination: effectivePagination(requestedPage),
        }),
      });
    },

    async latest(request, context) {
      const caller = scope(context);
      const criteria = await readSelection(orm, caller, request.selection, app.now());
      const requestedPage = readPage(request.pagination);
      const { rows, total } = await loadPage(latestQuery(criteria), sql`owner, field`, requestedPage);
      const presenter = await presenterFor(criteria, rows, context);
      return create(LatestValues_ResponseSchema, {
        values: rows.map((row) => presentRow(presenter, row)),
        pagination: paginationResult(requestedPage, total),
        request: create(LatestValues_RequestSchema, {
          ...request,
          organization: caller.organization,
          pagination: effectivePagination(requestedPage),
        }),
      });
    },
  };
});

const presentRow = (presenter: ValuePresenter, row: ValueColumns): ValueContext =>
  presenter.context(row, { case: 'value', value: presenter.value(row) });

/** A total order: no two values have the same owner, device, field, time, message, and parser. */
const timeOrder = (sort: Sort): SQL =>
  sql`value.time ${sql.raw(sort === Sort.TIME_DESCENDING ? 'desc' : 'asc')}, owner, number, field, message, parser`;

/**
 * Transforms the fields that the request names, and leaves the others as they are.
 *
 * @param rows sorted by time
 * @param end when the last values end, in milliseconds since the epoch
 */
function transform(
  rows: readonly ValueColumns[],
  { transformFields, sort }: ListValues_Request,
  presenter: ValuePresenter,
  end: number,
): ValueContext[] {
  const rowsWith = (transformation: ValueTransformation | undefined) =>
    rows.filter(({ field }) => transformFields[field] === transformation);
  const contexts: { time: number; context: ValueContext }[] = rowsWith(undefined).map((row) => ({
    time: row.time,
    context: presentRow(presenter, row),
  }));
  for (const { row, previous } of computeDeltas(rowsWith(ValueTransformation.DELTA))) {
    const [current, before] = [presenter.value(row), presenter.value(previous)];
    const delta = presenter.delta(row, previous);
    contexts.push({
      time: row.time,
      context: presenter.context(row, { case: 'delta', value: { delta, current, previous: before } }),
    });
  }
  for (const { row, spent } of computeDurations(rowsWith(ValueTransformation.DURATION), end)) {
    const durations = spent.map(({ row: item, seconds }) => ({
      value: presenter.value(item),
      duration: presentDuration(seconds),
    }));
    contexts.push({
      time: row.time,
      context: presenter.context(row, { case: 'valueDurations', value: { durations } }),
    });
  }
  const direction = sort === Sort.TIME_DESCENDING ? -1 : 1;
  return contexts.toSorted((a, b) => direction * (a.time - b.time)).map(({ context }) => context);
}

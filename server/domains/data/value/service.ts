import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';

import { pathKey } from '#commands/text/field-path.ts';
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
import { scope } from '#server/session/scope.ts';
import { unitPreferencesOf } from '#server/session/unit-preferences.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';
import { presentDuration } from '#server/wire/present.ts';

import { byKnownType, downsample, MIN_POINTS, timeOrder } from './downsample.ts';
import { loadPage, loadValues } from './load.ts';
import { type ValuePresenter, createValuePresenter } from './present.ts';
import { latestQuery, type ValueColumns, valuesQuery } from './query.ts';
import { readSelection, type ValueCriteria } from './selection.ts';
import { computeDeltas, computeDurations } from './transform.ts';

/** The maximum number of values that one call transforms. */
const MAX_TRANSFORMED_VALUES = 50_000;
/** The maximum number of points in a series and in a page, so a chart of several series fits into one response. */
const MAX_POINTS = 10_000;

export const valueService = service(ValueService, (app) => {
  const { orm } = app.db;
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
        const rows = await loadValues(
          app,
          sql`
          select * from (${valuesQuery(criteria)}) as value
           order by value.time, owner, number, field limit ${MAX_TRANSFORMED_VALUES + 1}`,
        );
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
      const rows = await loadValues(
        app,
        sql`
        select * from ${source} order by ${timeOrder(request.sort)}
         limit ${requestedPage.limit} offset ${requestedPage.offset}`,
      );
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
      const points = Math.max(request.points || requestedPage.size, MIN_POINTS);
      if (points > MAX_POINTS) throw invalidArgument(`Values can be reduced to at most ${MAX_POINTS} points.`);
      const { rows, total, lowest, highest } = await downsample(app, criteria, {
        points,
        sort: request.sort,
        page: requestedPage,
        withExtremes: request.determineMinimumAndMaximumValues ?? false,
      });
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
      const { rows, total } = await loadPage(app, latestQuery(criteria), sql`owner, field`, requestedPage);
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
  const requested = new Map(Object.entries(transformFields).map(([path, item]) => [pathKey(path), item]));
  const fields = new Set(rows.map(({ field }) => field));
  const transformations = new Map([...fields].map((field) => [field, requested.get(pathKey(field))]));
  const rowsWith = (transformation: ValueTransformation | undefined) =>
    rows.filter(({ field }) => transformations.get(field) === transformation);
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

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { loadSeries, loadSparklines } from '#commands/kit/series.ts';
import { loadFieldValues, type FieldValue } from '#commands/kit/value-loading.ts';
import type { Span } from '#commands/kit/value-series.ts';
import type { KindValues } from '#commands/model/arg-value.ts';
import type { ValueOwner } from '#commands/model/values.ts';
import { onChange } from '#src/data/changes.ts';
import { invalidate, keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';

import { localSpan } from './chart-range.ts';

/** The minimum time between two reloads. Devices report all the time. */
const RELOAD_MS = 1000;

const valuesKey = (organization: string, { entity, id }: ValueOwner): readonly unknown[] =>
  keyOf(organization, 'values', entity, id);

/** Reloads the values of a device or process point when a message brings new ones. */
export function useLiveValues(organization: string, owner: ValueOwner): void {
  const { entity, id } = owner;
  // A string, because the list is another one after each render. A number contains a space.
  const devices = owner.devices.join(',');
  useEffect(() => {
    const numbers = new Set(devices.split(','));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = (): void => {
      timer = undefined;
      invalidate({ queryKey: keyOf(organization, 'values', entity, id) });
    };
    const stop = onChange(({ entity: changedEntity, ids }) => {
      const isOwnDevice = changedEntity === 'device' && (!ids || ids.some((number) => numbers.has(number)));
      const concernsOwner = changedEntity === entity && (!ids || ids.includes(id));
      if (isOwnDevice || concernsOwner) timer ??= setTimeout(reload, RELOAD_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [organization, entity, id, devices]);
}

/** Loads the fields of an owner with their newest values, sorted by priority. */
export function useFieldValues(organization: string, owner: ValueOwner) {
  return useQuery({
    queryKey: [...valuesKey(organization, owner), 'latest'],
    queryFn: ({ signal }) => loadFieldValues(contextNow({ signal }), owner),
    staleTime: 0,
  });
}

/** Loads the sparklines of all numeric fields in one request. */
export function useSparklines(organization: string, owner: ValueOwner, fieldValues: readonly FieldValue[]) {
  const fields = fieldValues.filter(({ isNumeric, text }) => isNumeric && text !== undefined).map(({ field }) => field);
  return useQuery({
    queryKey: [...valuesKey(organization, owner), 'sparklines', fields],
    queryFn: ({ signal }) => loadSparklines(contextNow({ signal }), owner, fields),
    staleTime: 0,
    placeholderData: (previous, query) => (isOf(query?.queryKey, owner) ? previous : undefined),
  });
}

/** True if a query is about the same item, so its data can stay until the new data has loaded. */
function isOf(queryKey: readonly unknown[] | undefined, { entity, id }: ValueOwner): boolean {
  return queryKey?.[3] === entity && queryKey[4] === id;
}

interface SeriesOptions {
  readonly fields: readonly string[];
  readonly range: KindValues['range'];
  /** The visible part of the range. */
  readonly zoom: Span | undefined;
  /** The maximum number of values of each field. */
  readonly points: number;
}

/** Loads the series of a chart. The previous ones stay until they have loaded, so nothing jumps. */
export function useSeries(organization: string, owner: ValueOwner, { fields, range, zoom, points }: SeriesOptions) {
  return useQuery({
    queryKey: [...valuesKey(organization, owner), 'series', fields, range, zoom, points],
    queryFn: async ({ signal }) => {
      const context = contextNow({ signal });
      const bounds = localSpan(range, context);
      const span = zoom ?? bounds;
      return { bounds, span, series: await loadSeries(context, owner, { fields, span, points }) };
    },
    enabled: points > 0,
    staleTime: 0,
    placeholderData: (previous, query) => (isOf(query?.queryKey, owner) ? previous : undefined),
  });
}

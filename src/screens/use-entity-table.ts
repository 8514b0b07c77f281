import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

import type { AnyEntity } from '#commands/model/entity.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { onChange, type Change } from '#src/data/changes.ts';
import { useOnReconnect } from '#src/data/use-reconnects.ts';
import { report } from '#src/net/report.ts';
import { compile } from '#src/registry/filter-language.ts';
import { contextNow } from '#src/run/context.ts';
import { createPagedSource, type FetchPage } from '#src/table/paged-source.ts';
import { createTableModel } from '#src/table/table-model.ts';

import { createDeferredLoader, type DeferredLoader } from './deferred-values.ts';
import { createRowLocator } from './row-locator.ts';
import { usePendingRows } from './use-pending-rows.ts';

/**
 * Returns the filtered list of an entity, loaded in pages. The source and the model live as long as the screen. A new
 * filter replaces the rows in place, without flicker. Each entity has its own screen, and so its own table. A change
 * that lists ids updates only the rows with these ids, or the rows that show these items of another entity. Any other
 * change reloads the list. `needsDeferredValues` is true while a visible column shows values that load after the rows.
 */
export function useEntityTable(filter: ParsedFilter, needsDeferredValues: boolean) {
  const { entity } = filter;
  /** The last filter with a capped list. Another filter may match fewer rows. */
  const [cappedFilter, setCappedFilter] = useState<string>();
  const onCapped = useCallback((text: string) => setCappedFilter(text), []);
  // The source starts with the filter from the first render. Later filters replace the rows.
  const [{ source, model, deferredLoader, locator }] = useState(() => {
    const loader = createDeferredLoader(entity);
    loader.setNeeded(needsDeferredValues);
    const pagedSource: Source = createPagedSource<unknown>({
      fetchPage: (page, size, signal) => pageFetcher(filter, onCapped, loader, pagedSource)(page, size, signal),
      onError: report,
    });
    const rowLocator = createRowLocator(pagedSource, filter);
    return {
      source: pagedSource,
      model: createTableModel({
        source: pagedSource,
        rowId: (row) => entity.id(row),
        locate: rowLocator.locate,
        onError: report,
      }),
      deferredLoader: loader,
      locator: rowLocator,
    };
  });

  const appliedFilter = useRef(filter);
  useEffect(() => {
    // The source already has the first filter.
    if (appliedFilter.current === filter) return;
    appliedFilter.current = filter;
    locator.setFilter(filter);
    source.replace(pageFetcher(filter, onCapped, deferredLoader, source));
    model.reset();
  }, [source, model, deferredLoader, locator, entity, filter, onCapped]);

  useEffect(() => {
    if (deferredLoader.isNeeded() === needsDeferredValues) return;
    deferredLoader.setNeeded(needsDeferredValues);
    if (needsDeferredValues) source.invalidate();
  }, [source, deferredLoader, needsDeferredValues]);

  const version = useSyncExternalStore(source.subscribe, source.version);
  /** The filter of the visible rows, which stay until the rows of a new filter arrive. */
  const [visibleFilter, setVisibleFilter] = useState(filter);
  // Before the browser paints, so a list without matches never explains itself by the previous filter.
  useLayoutEffect(() => {
    if (source.isShown()) setVisibleFilter(appliedFilter.current);
  }, [source, version]);

  useEffect(
    () =>
      onChange((change) => {
        const rows = rowsToRefresh(entity, source, change);
        if (rows === 'all') source.invalidate();
        else if (rows.length > 0) void refreshRows(entity, source, deferredLoader, rows);
      }),
    [entity, source, deferredLoader],
  );
  usePendingRows(entity, source);
  useOnReconnect(source.retry);
  useEffect(() => () => source.dispose(), [source]);
  return { source, model, version, visibleFilter, capped: cappedFilter === filter.text };
}

type Source = ReturnType<typeof createPagedSource<unknown>>;

function pageFetcher(
  filter: ParsedFilter,
  onCapped: (filter: string) => void,
  deferredLoader: DeferredLoader,
  source: Source,
): FetchPage<unknown> {
  const { entity } = filter;
  return async (page, size, signal) => {
    const context = contextNow({ signal });
    const compiledFilter = await compile(filter, context);
    const { items, total, capped } = await entity.list(context, compiledFilter, { page, size });
    if (capped) onCapped(filter.text);
    if (deferredLoader.isNeeded()) void addDeferredValues(deferredLoader, source, items);
    return { rows: deferredLoader.addKnown(items), total };
  };
}

/** Adds the values of optional columns to rows that are shown without them. */
async function addDeferredValues(
  deferredLoader: DeferredLoader,
  source: Source,
  items: readonly unknown[],
): Promise<void> {
  await deferredLoader.load(contextNow(), items);
  source.patch((row) => deferredLoader.addKnown([row])[0]);
}

/** Returns the ids of the loaded rows that a change concerns, or `all` if the list itself may have changed. */
function rowsToRefresh(entity: AnyEntity, source: Source, change: Change): readonly string[] | 'all' {
  const { entity: name, ids } = change;
  if (name === entity.name && !ids) return 'all';
  const { dependency } = entity;
  if (!ids || (name !== entity.name && name !== dependency?.entity)) return [];
  const changedIds = new Set(ids);
  const isConcerned = (row: unknown): boolean =>
    name === entity.name
      ? changedIds.has(entity.id(row))
      : (dependency?.ids(row).some((id) => changedIds.has(id)) ?? false);
  return source.findRows(isConcerned).map((row) => entity.id(row));
}

/** Reloads the items with these ids and updates their rows in place without reordering them. */
async function refreshRows(
  entity: AnyEntity,
  source: Source,
  deferredLoader: DeferredLoader,
  ids: readonly string[],
): Promise<void> {
  try {
    const context = contextNow();
    const items = await entity.byIds(context, ids);
    if (deferredLoader.isNeeded()) await deferredLoader.load(context, items);
    const rows = new Map(deferredLoader.addKnown(items).map((item) => [entity.id(item), item]));
    source.patch((row) => rows.get(entity.id(row)));
  } catch (error) {
    // The rows stay as they are. The next event retries.
    report(error);
  }
}

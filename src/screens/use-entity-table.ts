import { useCallback, useEffect, useRef, useState } from 'react';

import type { AnyEntity } from '#commands/model/entity.ts';
import { compileParsed } from '#commands/query/compile.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { onChange } from '#src/data/changes.ts';
import { useOnReconnect } from '#src/data/use-reconnects.ts';
import { report } from '#src/net/report.ts';
import { contextNow } from '#src/run/context.ts';
import { createPagedSource, type FetchPage } from '#src/table/paged-source.ts';
import { createTableModel } from '#src/table/table-model.ts';

/**
 * Returns the filtered list of an entity, loaded in pages. The source and the model live as long as the screen. A new
 * filter replaces the rows in place, without flicker. Each entity has its own screen, and so its own table. A change
 * that lists ids updates only the rows with these ids. Any other change reloads the list.
 */
export function useEntityTable(filter: ParsedFilter) {
  const { entity } = filter;
  /** The last filter with a capped list. Another filter may match fewer rows. */
  const [cappedFilter, setCappedFilter] = useState<string>();
  const onCapped = useCallback((text: string) => setCappedFilter(text), []);
  // The source starts with the filter from the first render. Later filters replace the rows.
  const [{ source, model }] = useState(() => {
    const pagedSource = createPagedSource<unknown>({ fetchPage: pageFetcher(filter, onCapped), onError: report });
    return { source: pagedSource, model: createTableModel({ source: pagedSource, rowId: (row) => entity.id(row) }) };
  });

  const appliedFilter = useRef(filter);
  useEffect(() => {
    // The source already has the first filter.
    if (appliedFilter.current === filter) return;
    appliedFilter.current = filter;
    source.replace(pageFetcher(filter, onCapped));
    model.reset();
  }, [source, model, entity, filter, onCapped]);

  useEffect(
    () =>
      onChange((change) => {
        if (change.entity !== entity.name) return;
        if (change.ids) void refreshRows(entity, source, change.ids);
        else source.invalidate();
      }),
    [entity, source],
  );
  useOnReconnect(source.retry);
  useEffect(() => () => source.dispose(), [source]);
  return { source, model, capped: cappedFilter === filter.text };
}

type Source = ReturnType<typeof createPagedSource<unknown>>;

function pageFetcher(filter: ParsedFilter, onCapped: (filter: string) => void): FetchPage<unknown> {
  const { entity } = filter;
  return async (page, size, signal) => {
    const context = contextNow({ signal });
    const compiled = await compileParsed(entity, filter, context);
    const { items, total, capped } = await entity.list(context, compiled, { page, size });
    if (capped) onCapped(filter.text);
    return { rows: items, total };
  };
}

/** Reloads the items with these ids that are visible, and updates their rows in place without reordering them. */
async function refreshRows(entity: AnyEntity, source: Source, ids: readonly string[]): Promise<void> {
  const visibleIds = ids.filter((id) => source.shows((row) => entity.id(row) === id));
  if (visibleIds.length === 0) return;
  try {
    const items = new Map((await entity.byIds(contextNow(), visibleIds)).map((item) => [entity.id(item), item]));
    source.patch((row) => items.get(entity.id(row)));
  } catch (error) {
    // The rows stay as they are. The next event retries.
    report(error);
  }
}

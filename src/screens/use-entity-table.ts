import { useCallback, useEffect, useRef, useState } from 'react';

import type { AnyEntity } from '#commands/model/entity.ts';
import { compileParsed } from '#commands/query/compile.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';

import { onChange } from '#src/data/changes.ts';
import { useOnReturn } from '#src/data/use-returns.ts';
import { report } from '#src/net/report.ts';
import { contextNow } from '#src/run/context.ts';
import { createPagedSource, type FetchPage } from '#src/table/paged-source.ts';
import { createTableModel } from '#src/table/table-model.ts';

/**
 * The list of an entity, filtered, in pages. The source and the model live as long as the screen; another filter
 * replaces the rows in place, so that nothing blinks. Another entity is another screen, and a table of its own. What
 * changed by itself (an event) changes in its row; what we changed asks for the list again.
 */
export function useEntityTable(filter: ParsedFilter) {
  const { entity } = filter;
  const [capped, setCapped] = useState<string>();
  // Of the filter it was seen with: another one may be short enough.
  const noteCap = useCallback((text: string) => setCapped(text), []);
  // The filter of the first render only: later ones replace the rows.
  const [{ source, model }] = useState(() => {
    const paged = createPagedSource<unknown>({ fetchPage: pagesOf(filter, noteCap), onError: report });
    return { source: paged, model: createTableModel({ source: paged, rowId: (row) => entity.id(row) }) };
  });

  const shown = useRef(filter);
  useEffect(() => {
    // The source was made with the first filter.
    if (shown.current === filter) return;
    shown.current = filter;
    source.replace(pagesOf(filter, noteCap));
    model.reset();
  }, [source, model, entity, filter, noteCap]);

  useEffect(
    () =>
      onChange((change) => {
        if (change.entity !== entity.name) return;
        if (change.ids) void refreshRows(entity, source, change.ids);
        else source.invalidate();
      }),
    [entity, source],
  );
  useOnReturn(source.retry);
  useEffect(() => () => source.dispose(), [source]);
  return { source, model, capped: capped === filter.text };
}

type Source = ReturnType<typeof createPagedSource<unknown>>;

function pagesOf(filter: ParsedFilter, noteCap: (filter: string) => void): FetchPage<unknown> {
  const { entity } = filter;
  return async (page, size, signal) => {
    const context = contextNow({ signal });
    const compiled = await compileParsed(entity, filter, context);
    const { items, total, capped } = await entity.list(context, compiled, { page, size });
    if (capped) noteCap(filter.text);
    return { rows: items, total };
  };
}

/** Asks for the shown ones of these items and puts them where they stand: the order on the screen stays. */
async function refreshRows(entity: AnyEntity, source: Source, ids: readonly string[]): Promise<void> {
  const shown = ids.filter((id) => source.shows((row) => entity.id(row) === id));
  if (shown.length === 0) return;
  try {
    const items = new Map((await entity.byIds(contextNow(), shown)).map((item) => [entity.id(item), item]));
    source.patch((row) => items.get(entity.id(row)));
  } catch (error) {
    // The rows on the screen stay as they were; the next event asks again.
    report(error);
  }
}

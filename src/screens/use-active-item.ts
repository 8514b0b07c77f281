import { useCallback, useEffect, useRef } from 'react';

import { isAbort } from '#commands/model/errors.ts';
import { compileText } from '#commands/query/compile.ts';
import { onlyIds } from '#commands/query/edit.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';

import { report } from '#src/net/report.ts';
import { contextNow } from '#src/run/context.ts';
import type { PanelItem } from '#src/panel/Panel.tsx';
import { locate } from '#src/table/locate.ts';
import type { TableModel } from '#src/table/table-model.ts';

/** The table beside the panel, and the filter that it lists. */
export interface ListedTable {
  readonly model: TableModel<unknown>;
  readonly filter: ParsedFilter;
}

interface ActiveItem {
  /** Moves from the item in the panel to its neighbour; false where the table does not list it. */
  step(by: 1 | -1): Promise<boolean>;
  /** Something else than the table says what the panel shows next. */
  release(): void;
}

/**
 * Keeps the active row and the item in the panel the same, where the table lists the item: moving to another row shows
 * that one (`follow`), and showing another item, by whatever way, moves the active row to it. Rows that move by
 * themselves change neither.
 */
export function useActiveItem(
  table: ListedTable | undefined,
  top: PanelItem | undefined,
  follow: (item: PanelItem) => void,
): ActiveItem {
  const { model, filter } = table ?? {};
  const entity = filter?.entity;
  const shown = top && top.entity === entity?.name ? top.id : undefined;
  /** The row somebody moved to, on its way into the address: until it is there, the table leads. */
  const leading = useRef<string>(undefined);
  /** Somebody moved to a row that has not loaded yet. */
  const awaited = useRef(false);
  const latest = useRef(follow);
  useEffect(() => {
    latest.current = follow;
  });

  useEffect(() => {
    if (!model || !entity || shown === undefined) {
      awaited.current = false;
      return undefined;
    }
    const lead = (): void => {
      const row = model.activeRow();
      if (!awaited.current || row === undefined) return;
      awaited.current = false;
      const id = model.rowId(row);
      if (id === (leading.current ?? shown)) return;
      leading.current = id;
      latest.current({ entity: entity.name, id });
    };
    const stops = [
      model.onMove(() => {
        awaited.current = true;
        lead();
      }),
      model.subscribe(lead),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, entity, shown]);

  const find = useCallback(
    async (id: string, signal: AbortSignal): Promise<number | undefined> => {
      if (!model || !filter) return undefined;
      const row = model.activeRow();
      if (row !== undefined && model.rowId(row) === id) return model.active();
      return locate({ source: model.source, rowId: model.rowId, id, order: orderOf(filter), signal });
    },
    [model, filter],
  );

  useEffect(() => {
    if (!model || shown === undefined) return undefined;
    if (leading.current !== undefined) {
      if (leading.current === shown) leading.current = undefined;
      return undefined;
    }
    const search = new AbortController();
    const reveal = async (): Promise<void> => {
      const index = await find(shown, search.signal);
      if (index !== undefined && !search.signal.aborted) model.activate(index);
    };
    const begin = (): void => {
      if (model.source.total() === undefined) return;
      stop();
      reveal().catch((error: unknown) => {
        // Without its row the item is shown and acted on all the same.
        if (!isAbort(error)) report(error);
      });
    };
    const stop = model.source.subscribe(begin);
    begin();
    // Whoever moves meanwhile has chosen another row.
    const stopMove = model.onMove(() => search.abort());
    return () => {
      search.abort();
      stop();
      stopMove();
    };
  }, [model, shown, find]);

  const step = useCallback(
    async (by: 1 | -1): Promise<boolean> => {
      if (!model) return false;
      if (top === undefined) {
        model.move(by);
        return true;
      }
      const index = shown === undefined ? undefined : await find(shown, new AbortController().signal);
      if (index === undefined) return false;
      model.activate(Math.max(0, index + by));
      return true;
    },
    [model, top, shown, find],
  );
  const release = useCallback(() => {
    leading.current = undefined;
    awaited.current = false;
  }, []);
  return { step, release };
}

/** Asks the server for the order of some items in the list. */
function orderOf(filter: ParsedFilter) {
  const { entity } = filter;
  if (entity.idKey === undefined) return undefined;
  return async (ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> => {
    const context = contextNow({ signal });
    const compiled = await compileText(entity, onlyIds(filter, ids) ?? '', context);
    const { items } = await entity.list(context, compiled, { page: 0, size: ids.length });
    return items.map((item) => entity.id(item));
  };
}

import { useCallback, useEffect, useRef } from 'react';

import { isAbort } from '#commands/model/errors.ts';
import { onlyIds } from '#commands/query/edit.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { report } from '#src/net/report.ts';
import type { PanelItem } from '#src/panel/Panel.tsx';
import { loadParser } from '#src/registry/filter-language.ts';
import { contextNow } from '#src/run/context.ts';
import { locate } from '#src/table/locate.ts';
import type { TableModel } from '#src/table/table-model.ts';

/** The table beside the panel, with its filter. */
export interface FilteredTable {
  readonly model: TableModel<unknown>;
  readonly filter: ParsedFilter;
}

interface ActiveItem {
  /**
   * Opens the item after or before the one in the panel. Resolves to false if the table doesn't list the panel's item.
   */
  step(offset: 1 | -1): Promise<boolean>;
  /** Stops the panel from following the table until the user moves to another row. */
  release(): void;
}

/**
 * Synchronizes the active row with the item in the panel, if the table lists it. Moving to another row shows its item
 * (`follow`), and opening another item by any means activates its row. A change in the row order affects neither.
 */
export function useActiveItem(
  table: FilteredTable | undefined,
  top: PanelItem | undefined,
  follow: (item: PanelItem) => void,
): ActiveItem {
  const { model, filter } = table ?? {};
  const entity = filter?.entity;
  const panelId = top && top.entity === entity?.name ? top.id : undefined;
  /** The id of the row that the user moved to, until the URL contains it. */
  const followedId = useRef<string>(undefined);
  /** True if the user moved to a row that hasn't loaded yet. */
  const isMovePending = useRef(false);
  const latestFollow = useRef(follow);
  useEffect(() => {
    latestFollow.current = follow;
  });

  useEffect(() => {
    if (!model || !entity || panelId === undefined) {
      isMovePending.current = false;
      return undefined;
    }
    const followRow = (): void => {
      const row = model.activeRow();
      if (!isMovePending.current || row === undefined) return;
      isMovePending.current = false;
      const id = model.rowId(row);
      if (id === (followedId.current ?? panelId)) return;
      followedId.current = id;
      latestFollow.current({ entity: entity.name, id });
    };
    const stops = [
      model.onMove(() => {
        isMovePending.current = true;
        followRow();
      }),
      model.subscribe(followRow),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, entity, panelId]);

  const findRow = useCallback(
    async (id: string, signal: AbortSignal): Promise<number | undefined> => {
      if (!model || !filter) return undefined;
      const row = model.activeRow();
      if (row !== undefined && model.rowId(row) === id) return model.active();
      return locate({ source: model.source, rowId: model.rowId, id, sortIds: createIdSorter(filter), signal });
    },
    [model, filter],
  );

  useEffect(() => {
    if (!model || panelId === undefined) return undefined;
    if (followedId.current !== undefined) {
      if (followedId.current === panelId) followedId.current = undefined;
      return undefined;
    }
    const search = new AbortController();
    const reveal = async (): Promise<void> => {
      const index = await findRow(panelId, search.signal);
      if (index !== undefined && !search.signal.aborted) model.activate(index);
    };
    const start = (): void => {
      if (model.source.total() === undefined) return;
      stop();
      reveal().catch((error: unknown) => {
        // The panel works even if the item's row isn't found.
        if (!isAbort(error)) report(error);
      });
    };
    const stop = model.source.subscribe(start);
    start();
    // A move to another row cancels the search.
    const stopMove = model.onMove(() => search.abort());
    return () => {
      search.abort();
      stop();
      stopMove();
    };
  }, [model, panelId, findRow]);

  const step = useCallback(
    async (offset: 1 | -1): Promise<boolean> => {
      if (!model) return false;
      if (top === undefined) {
        model.move(offset);
        return true;
      }
      const index = panelId === undefined ? undefined : await findRow(panelId, new AbortController().signal);
      if (index === undefined) return false;
      model.activate(Math.max(0, index + offset));
      return true;
    },
    [model, top, panelId, findRow],
  );
  const release = useCallback(() => {
    followedId.current = undefined;
    isMovePending.current = false;
  }, []);
  return { step, release };
}

/**
 * Creates a function that requests the order of the given ids in the list.
 *
 * @returns undefined if the entity can't be filtered by id
 */
function createIdSorter(filter: ParsedFilter) {
  const { entity } = filter;
  if (entity.idKey === undefined) return undefined;
  return async (ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> => {
    const context = contextNow({ signal });
    const { compileText } = await loadParser();
    const compiledFilter = await compileText(entity, onlyIds(filter, ids) ?? '', context);
    const { items } = await entity.list(context, compiledFilter, { page: 0, size: ids.length });
    return items.map((item) => entity.id(item));
  };
}

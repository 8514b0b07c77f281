import { useCallback, useEffect, useRef } from 'react';

import { isAbort } from '#commands/model/errors.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { report } from '#src/net/report.ts';
import type { PanelItem } from '#src/panel/Panel.tsx';
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

  useEffect(() => {
    if (!model || panelId === undefined) return undefined;
    if (followedId.current !== undefined) {
      if (followedId.current === panelId) followedId.current = undefined;
      return undefined;
    }
    const search = new AbortController();
    const reveal = async (): Promise<void> => {
      const index = await model.find(panelId, search.signal);
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
  }, [model, panelId]);

  const step = useCallback(
    async (offset: 1 | -1): Promise<boolean> => {
      if (!model) return false;
      if (top === undefined) {
        model.move(offset);
        return true;
      }
      const index = panelId === undefined ? undefined : await model.find(panelId, new AbortController().signal);
      if (index === undefined) return false;
      model.activate(Math.max(0, index + offset));
      return true;
    },
    [model, top, panelId],
  );
  const release = useCallback(() => {
    followedId.current = undefined;
    isMovePending.current = false;
  }, []);
  return { step, release };
}

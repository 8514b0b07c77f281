import { useSetAtom } from 'jotai';
import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

import type { TableHost } from '#commands/model/screen-hosts.ts';
import { withoutIds } from '#commands/query/edit.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { itemName, matchingName, selectedName, type VisibleTable } from '#commands/run/focus.ts';
import type { FilterLineHandle } from '#src/filter/line-props.ts';
import { findView } from '#src/registry/filter-language.ts';
import { panelHostAtom, visibleTargetsAtom, tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import type { TableModel } from '#src/table/table-model.ts';

interface TableHostOptions {
  readonly model: TableModel<unknown>;
  readonly filter: ParsedFilter;
  /** True while the rows belong to the previous filter, so none of them is a target. */
  readonly isStale: boolean;
  readonly setFilter: (text: string) => void;
  /** The ids of the visible columns, separated by spaces. */
  readonly shownIds: string;
  readonly showColumns: (change: Readonly<Record<string, boolean>>) => void;
  readonly filterLine: RefObject<FilterLineHandle | null>;
  /** True while an item that fills the screen covers the table and its filter line. */
  readonly isFull: boolean;
  readonly cellEditing: Pick<TableHost, 'editCell' | 'editedColumn'>;
}

/** Lets commands move and select in this table, and publishes what it shows. */
export function useTableHost({
  model,
  filter,
  isStale: stale,
  setFilter,
  shownIds,
  showColumns,
  filterLine,
  isFull,
  cellEditing: { editCell, editedColumn },
}: TableHostOptions): void {
  const { entity } = filter;
  const editFilter = useFilterFocus(filterLine, isFull);
  const setHost = useSetAtom(tableHostAtom);
  const setVisibleTargets = useSetAtom(visibleTargetsAtom);

  useEffect(() => {
    const host: TableHost = {
      move: (offset, extend) => (extend ? void model.extend(offset) : model.move(offset)),
      page: (direction) => model.page(direction),
      moveToEdge: (edge) => (edge === 'first' ? model.home() : model.end()),
      toggleActiveRow: () => model.toggle(),
      selectAll: () => model.selectAll(),
      clearSelection: () => model.clearSelection(),
      select: (target) => {
        if ('ids' in target) model.selection.replace(target.ids);
        else model.selectAll();
      },
      editFilter,
      setFilter,
      filterText: () => filter.text,
      columns: () => shownIds.split(' '),
      showColumns,
      entityName: () => entity.name,
      activeRowId: () => {
        const row = model.activeRow();
        return row === undefined ? undefined : entity.id(row);
      },
      pinActiveRow: () => model.pin(),
      editCell,
      editedColumn,
    };
    setHost(host);
    return () => {
      if (store.get(tableHostAtom) === host) setHost(undefined);
    };
  }, [entity, model, filter, setFilter, shownIds, showColumns, editFilter, editCell, editedColumn, setHost]);

  useLayoutEffect(() => {
    const publish = (): void => {
      if (stale) return setVisibleTargets((targets) => ({ ...targets, table: { entity: entity.name } }));
      const row = model.activeRow();
      const selection = selectionOf(model, filter);
      const table: VisibleTable = {
        entity: entity.name,
        ...(selection ? { selection } : {}),
        ...(row === undefined ? {} : { row: { id: entity.id(row), name: itemName(entity, row) } }),
      };
      setVisibleTargets((targets) => ({ ...targets, table }));
    };
    publish();
    const stops = [model.subscribe(publish), model.selection.subscribe(publish), model.source.subscribe(publish)];
    return () => {
      for (const stop of stops) stop();
      setVisibleTargets((targets) => ({ ...targets, table: undefined }));
    };
  }, [entity, model, filter, stale, setVisibleTargets]);
}

/** Returns a function that focuses the filter line. An item that covers it first returns to the panel. */
function useFilterFocus(filterLine: RefObject<FilterLineHandle | null>, isFull: boolean): () => void {
  const isRequested = useRef(false);
  useEffect(() => {
    if (isFull || !isRequested.current) return;
    isRequested.current = false;
    filterLine.current?.focus();
  }, [isFull, filterLine]);
  return useCallback(() => {
    isRequested.current = isFull;
    if (isFull) store.get(panelHostAtom)?.setFullScreen(false);
    else filterLine.current?.focus();
  }, [isFull, filterLine]);
}

/** Returns the selection as a target: ids, or the filter (without deselected rows). */
function selectionOf(model: TableModel<unknown>, filter: ParsedFilter): VisibleTable['selection'] {
  const state = model.selection.state();
  const count = model.selection.count(model.source.total() ?? 0);
  if (state.kind === 'ids') {
    return count > 0 ? { target: { ids: [...state.ids] }, count, name: selectedName(count) } : undefined;
  }
  const target = { query: withoutIds(filter, [...state.except]) || '*' };
  // If rows are deselected, the name of the view or the filter no longer describes the selection.
  const name = state.except.size > 0 ? selectedName(count) : matchingName(filter, findView(filter), count);
  return { target, count, name };
}

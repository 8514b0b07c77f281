import { useSetAtom } from 'jotai';
import { useEffect, useLayoutEffect, type RefObject } from 'react';

import { itemName, matchingName, selectedName, type ShownTable } from '#commands/run/focus.ts';
import type { TableHost } from '#commands/model/host.ts';
import { withoutIds } from '#commands/query/edit.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';

import { shownAtom, tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import type { TableModel } from '#src/table/table-model.ts';
import type { FilterLineHandle } from '#src/filter/FilterLine.tsx';

interface Screen {
  readonly model: TableModel<unknown>;
  readonly filter: ParsedFilter;
  readonly setFilter: (text: string) => void;
  readonly filterLine: RefObject<FilterLineHandle | null>;
}

/** Lets commands move and select in this table, and tells what it shows. */
export function useTableHost({ model, filter, setFilter, filterLine }: Screen): void {
  const { entity } = filter;
  const setHost = useSetAtom(tableHostAtom);
  const setShown = useSetAtom(shownAtom);

  useEffect(() => {
    const host: TableHost = {
      move: (by, extend) => (extend ? void model.extend(by) : model.move(by)),
      page: (direction) => model.page(direction),
      edge: (which) => (which === 'first' ? model.home() : model.end()),
      toggle: () => model.toggle(),
      all: () => model.selectAll(),
      clear: () => model.clearSelection(),
      select: (target) => {
        if ('ids' in target) model.selection.replace(target.ids);
        else model.selectAll();
      },
      editFilter: () => filterLine.current?.focus(),
      setFilter,
      filter: () => filter.text,
      entity: () => entity.name,
      row: () => {
        const row = model.activeRow();
        return row === undefined ? undefined : entity.id(row);
      },
    };
    setHost(host);
    return () => {
      if (store.get(tableHostAtom) === host) setHost(undefined);
    };
  }, [entity, model, filter, setFilter, filterLine, setHost]);

  useLayoutEffect(() => {
    const tell = (): void => {
      const row = model.activeRow();
      const selection = selectionOf(model, filter);
      const table: ShownTable = {
        entity: entity.name,
        ...(selection ? { selection } : {}),
        ...(row === undefined ? {} : { row: { id: entity.id(row), name: itemName(entity, row) } }),
      };
      setShown((shown) => ({ ...shown, table }));
    };
    tell();
    const stops = [model.subscribe(tell), model.selection.subscribe(tell), model.source.subscribe(tell)];
    return () => {
      for (const stop of stops) stop();
      setShown((shown) => ({ ...shown, table: undefined }));
    };
  }, [entity, model, filter, setShown]);
}

/** What is selected, as a command takes it: ids, or the filter (without the rows that were taken out again). */
function selectionOf(model: TableModel<unknown>, filter: ParsedFilter): ShownTable['selection'] {
  const state = model.selection.state();
  const count = model.selection.count(model.source.total() ?? 0);
  if (state.kind === 'ids') {
    return count > 0 ? { target: { ids: [...state.ids] }, count, name: selectedName(count) } : undefined;
  }
  const target = { query: withoutIds(filter, [...state.except]) || '*' };
  // With some of them taken out it is no longer what the view or the filter is called.
  const name = state.except.size > 0 ? selectedName(count) : matchingName(filter, count);
  return { target, count, name };
}

import { useSetAtom } from 'jotai';
import { useEffect, type RefObject } from 'react';

import type { AnyEntity } from '#commands/core/entity';
import type { TableHost } from '#commands/core/host';
import type { NamedTarget } from '#commands/core/target';
import { withoutIds } from '#commands/query/edit';

import { focusAtom, tableHostAtom } from '../state/focus.ts';
import { store } from '../state/store.ts';
import type { TableModel } from '../table/table-model.ts';
import type { FilterLineHandle } from '../filter/FilterLine.tsx';

interface Screen {
  readonly entity: AnyEntity;
  readonly model: TableModel<unknown>;
  readonly filter: string;
  readonly setFilter: (text: string) => void;
  readonly filterLine: RefObject<FilterLineHandle | null>;
}

/** Lets commands move and select in this table, and tells them what is in focus. */
export function useTableHost({ entity, model, filter, setFilter, filterLine }: Screen): void {
  const setHost = useSetAtom(tableHostAtom);
  const setFocus = useSetAtom(focusAtom);

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
      filter: () => filter,
      entity: () => entity.name,
    };
    setHost(host);
    return () => {
      if (store.get(tableHostAtom) === host) setHost(undefined);
    };
  }, [entity, model, filter, setFilter, filterLine, setHost]);

  useEffect(() => {
    const tell = (): void => {
      const total = model.source.total() ?? 0;
      const row = model.activeRow();
      const target = targetOf(entity, model, filter);
      setFocus({
        entity: entity.name,
        ...(target ? { target, count: model.selection.count(total) } : {}),
        ...(row === undefined ? {} : { active: entity.id(row) }),
      });
    };
    tell();
    const stops = [model.subscribe(tell), model.selection.subscribe(tell), model.source.subscribe(tell)];
    return () => {
      for (const stop of stops) stop();
      setFocus(undefined);
    };
  }, [entity, model, filter, setFocus]);
}

/** What is selected, as a command takes it: ids, or the filter (without the rows that were taken out again). */
function targetOf(entity: AnyEntity, model: TableModel<unknown>, filter: string): NamedTarget | undefined {
  const state = model.selection.state();
  if (state.kind === 'ids') return state.ids.size > 0 ? { ids: [...state.ids] } : undefined;
  return { query: withoutIds(filter, entity, [...state.except]) || '*' };
}

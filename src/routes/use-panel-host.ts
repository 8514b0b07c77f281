import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSetAtom } from 'jotai';
import { useEffect, useMemo } from 'react';

import type { PanelHost } from '#commands/core/host';
import { registry } from '#commands/all';

import { parsePanelItem, printPanelItem, type PanelItem } from '../panel/Panel.tsx';
import { neighbourTab } from '../panel/tabs.ts';
import { actingAtom } from '../state/acting.ts';
import { enterTabAtom, panelHostAtom } from '../state/focus.ts';
import { formAtom } from '../state/layers.ts';
import { store } from '../state/store.ts';
import type { TableModel } from '../table/table-model.ts';
import type { Search } from './address.ts';

interface PanelState {
  readonly top: PanelItem | undefined;
  readonly tab: string | undefined;
  readonly setTab: (tab: string) => void;
}

/**
 * The panel's stack, which the address holds, and what commands can do with it. Beside a table the lowest layer follows the active row; a page has none.
 */
export function usePanelHost(entityName?: string, model?: TableModel<unknown>): PanelState {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const setHost = useSetAtom(panelHostAtom);
  const stack = useMemo(() => (search.panel ?? []).flatMap((each) => parsePanelItem(each) ?? []), [search.panel]);
  const isOpen = stack.length > 0;

  const show = useMemo(
    () =>
      (items: readonly PanelItem[], tab: string | undefined, replace: boolean): void => {
        const panel = items.length > 0 ? items.map(printPanelItem) : undefined;
        void navigate({ to: '.', search: (previous: Search) => ({ ...previous, panel, tab: panel && tab }), replace });
      },
    [navigate],
  );

  useEffect(() => {
    const host: PanelHost = {
      open: (entity, id, tab) => {
        const item = { entity, id };
        const kept = stack.filter((each) => each.entity !== entity);
        show(entity === entityName ? [item] : [...kept, item], tab, false);
      },
      back: () => {
        if (store.get(formAtom)) {
          store.set(formAtom, undefined);
          return true;
        }
        if (!isOpen) return false;
        show(stack.slice(0, -1), undefined, false);
        return true;
      },
      close: () => {
        store.set(formAtom, undefined);
        if (isOpen) show([], undefined, false);
      },
      tab: (by) => {
        const item = stack.at(-1);
        const entity = item && registry.entity(item.entity);
        const abilities = store.get(actingAtom)?.actor.abilities;
        if (!entity || !abilities) return;
        const tab = neighbourTab(entity, abilities, search.tab, by);
        store.set(enterTabAtom, tab);
        show(stack, tab, true);
      },
      step: (by) => model?.move(by),
      isOpen: () => isOpen || store.get(formAtom) !== undefined,
    };
    setHost(host);
    return () => setHost((current) => (current === host ? undefined : current));
  }, [stack, isOpen, show, entityName, model, setHost, search.tab]);

  const [first] = stack;
  const follows = stack.length === 1 && first?.entity === entityName;
  useEffect(() => {
    if (!follows || !model || entityName === undefined) return;
    const activeId = (): string | undefined => {
      const row = model.activeRow();
      return row === undefined ? undefined : model.rowId(row);
    };
    let known = activeId();
    return model.subscribe(() => {
      const id = activeId();
      if (id === undefined || id === known) return;
      // The first rows to come are no move: the address may name an item that is elsewhere in the list.
      const moved = known !== undefined;
      known = id;
      if (moved && id !== first?.id) show([{ entity: entityName, id }], search.tab, true);
    });
  }, [follows, first, model, entityName, show, search.tab]);

  return { top: stack.at(-1), tab: search.tab, setTab: (tab) => show(stack, tab, true) };
}

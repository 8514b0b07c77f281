import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';

import { CommandError } from '#commands/core/errors';
import { itemName, type Shown } from '#commands/core/focus';
import type { PanelHost } from '#commands/core/host';
import { message, type Message } from '#commands/core/message';
import { registry } from '#commands/all';

import { parsePanelItem, printPanelItem, type PanelItem } from '../panel/Panel.tsx';
import { neighbourTab, tabsFor } from '../panel/tabs.ts';
import { useItem } from '../panel/use-item.ts';
import { actingAtom } from '../state/acting.ts';
import { enterTabAtom, narrowTabAtom, openLineAtom, panelHostAtom, shownAtom } from '../state/focus.ts';
import { formAtom } from '../state/layers.ts';
import { store } from '../state/store.ts';
import type { Search } from './address.ts';
import { useActiveItem, type ListedTable } from './use-active-item.ts';

interface PanelState {
  readonly top: PanelItem | undefined;
  readonly tab: string | undefined;
}

/** Items that lie over one another; further down nobody goes back to. */
const DEEPEST = 10;

/** The panel's stack, which the address holds, and what commands can do with it. Beside a table, an item that the table lists is its active row. */
export function usePanelHost(table?: ListedTable): PanelState {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const setHost = useSetAtom(panelHostAtom);
  const stack = useMemo(() => (search.panel ?? []).flatMap((each) => parsePanelItem(each) ?? []), [search.panel]);
  const isOpen = stack.length > 0;
  const top = stack.at(-1);

  /** The tab that something was opened from: going back leads there. */
  const leftAt = useRef(new Map<string, string | undefined>());

  const show = useMemo(
    () =>
      (items: readonly PanelItem[], tab: string | undefined, replace: boolean): void => {
        const panel = items.length > 0 ? items.slice(-DEEPEST).map(printPanelItem) : undefined;
        // At once: the next key may come before the address has changed, and must not act on what was open before.
        store.set(shownAtom, (shown) => withPanel(shown, items.at(-1)));
        void navigate({ to: '.', search: (previous: Search) => ({ ...previous, panel, tab: panel && tab }), replace });
      },
    [navigate],
  );

  useShownItem(top);
  const { step, release } = useActiveItem(table, top, (item) => show([item], search.tab, true));

  useEffect(() => {
    const go = (items: readonly PanelItem[], tab?: string): void => {
      release();
      const same = items.map(printPanelItem).join() === stack.map(printPanelItem).join();
      show(items, same ? (tab ?? search.tab) : tab, same);
    };
    const host: PanelHost = {
      open: (entity, id, tab, narrow) => {
        if (tab !== undefined && narrow)
          store.set(narrowTabAtom, (before) => ({ item: id, tab, narrow, round: (before?.round ?? 0) + 1 }));
        const item = { entity, id };
        const kept = stack.filter((each) => each.entity !== entity);
        go(entity === table?.entity.name ? [item] : [...kept, item], tab);
      },
      openOver: (entity, id) => {
        if (top) leftAt.current.set(printPanelItem(top), search.tab);
        const at = stack.findIndex((each) => each.entity === entity && each.id === id);
        go(at >= 0 ? stack.slice(0, at + 1) : [...stack, { entity, id }]);
      },
      back: () => {
        const line = store.get(openLineAtom);
        if (line) {
          line.close();
          return true;
        }
        if (store.get(formAtom)) {
          store.set(formAtom, undefined);
          return true;
        }
        if (!isOpen) return false;
        const below = stack.slice(0, -1);
        const tab = below.length > 0 ? leftAt.current.get(printPanelItem(below.at(-1)!)) : undefined;
        store.set(enterTabAtom, tab);
        go(below, tab);
        return true;
      },
      close: () => {
        store.set(formAtom, undefined);
        if (isOpen) go([]);
      },
      tab: (by) => {
        const entity = top && registry.entity(top.entity);
        const abilities = store.get(actingAtom)?.actor.abilities;
        if (!entity || !abilities) return;
        const tab = neighbourTab(entity, abilities, search.tab, by);
        store.set(enterTabAtom, tab);
        show(stack, tab, true);
      },
      tabs: () => {
        const entity = top && registry.entity(top.entity);
        const abilities = store.get(actingAtom)?.actor.abilities;
        return entity && abilities && store.get(formAtom) === undefined ? tabsFor(entity, abilities) : [];
      },
      showTab: (tab) => show(stack, tab, true),
      step: async (by) => {
        if (await step(by)) return;
        const { panel } = store.get(shownAtom);
        throw new CommandError(message('view:notListed', { name: panel?.name ?? top?.id ?? '' }));
      },
      isOpen: () => isOpen || store.get(formAtom) !== undefined,
    };
    setHost(host);
    return () => setHost((current) => (current === host ? undefined : current));
  }, [stack, isOpen, top, show, table, setHost, search.tab, step, release]);

  return { top, tab: search.tab };
}

/** Tells what the panel shows: the target of commands while nothing is selected. */
function useShownItem(top: PanelItem | undefined): void {
  const setShown = useSetAtom(shownAtom);
  const organization = useAtomValue(actingAtom)?.organization.id ?? '';
  const entity = top && registry.entity(top.entity);
  const { data } = useItem(organization, entity, top?.id);
  useLayoutEffect(() => {
    if (!top || !entity) return undefined;
    const name = data === undefined || data === null ? undefined : itemName(entity, data);
    setShown((shown) => withPanel(shown, top, name));
    return () => setShown((shown) => withPanel(shown, undefined));
  }, [top, entity, data, setShown]);
}

/** The screen with this item in the panel. A row of the table has told its name already. */
function withPanel(shown: Shown, item: PanelItem | undefined, name?: Message): Shown {
  if (!item) return { ...shown, panel: undefined };
  const { table, panel } = shown;
  const row = table?.row && { entity: table.entity, ...table.row };
  const known = name ?? [panel, row].find((each) => each?.entity === item.entity && each.id === item.id)?.name;
  return { ...shown, panel: { ...item, ...(known ? { name: known } : {}) } };
}

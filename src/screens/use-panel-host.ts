import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useSetAtom } from 'jotai';
import { useEffect, useMemo, useRef } from 'react';

import { CommandError } from '#commands/model/errors.ts';
import type { PanelHost } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';
import { registry } from '#commands/nouns/all.ts';

import { parsePanelItem, printPanelItem, type PanelItem } from '#src/panel/Panel.tsx';
import { neighbourTab, tabsFor } from '#src/panel/tabs.ts';
import { actingAtom } from '#src/state/acting.ts';
import { leave } from '#src/state/arrival.ts';
import { enterTabAtom, narrowTabAtom, openLineAtom, panelHostAtom, shownAtom } from '#src/state/focus.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import type { Search } from '#src/address/address.ts';
import { useActiveItem, type ListedTable } from './use-active-item.ts';
import { useShownItem, withPanel } from './use-shown-item.ts';

interface PanelState {
  readonly top: PanelItem | undefined;
  readonly tab: string | undefined;
}

/** Items that lie over one another; further down nobody goes back to. */
const DEEPEST = 10;

/**
 * The panel's stack, which the address holds, and what commands can do with it. Beside a table, an item that the
 * table lists is its active row.
 */
export function usePanelHost(table?: ListedTable): PanelState {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const setHost = useSetAtom(panelHostAtom);
  const stack = useMemo(() => stackOf(search.panel), [search.panel]);
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
    /**
     * The address as it is by now, which a screen that is still being drawn may not show yet: a key acts on what the
     * key before it opened.
     */
    const now = () => {
      const address: Search = router.latestLocation.search;
      const items = stackOf(address.panel);
      return { items, top: items.at(-1), tab: address.tab };
    };
    const go = (items: readonly PanelItem[], tab?: string): void => {
      release();
      const before = now();
      const same = items.map(printPanelItem).join() === before.items.map(printPanelItem).join();
      if (!same) leave();
      show(items, same ? (tab ?? before.tab) : tab, same);
    };
    const host: PanelHost = {
      open: (entity, id, tab, narrow) => {
        if (tab !== undefined && narrow)
          store.set(narrowTabAtom, (before) => ({ item: id, tab, narrow, round: (before?.round ?? 0) + 1 }));
        const item = { entity, id };
        const kept = now().items.filter((panelItem) => panelItem.entity !== entity);
        go(entity === table?.filter.entity.name ? [item] : [...kept, item], tab);
      },
      openOver: (entity, id) => {
        const { items, top: left, tab } = now();
        if (left) leftAt.current.set(printPanelItem(left), tab);
        const at = items.findIndex((item) => item.entity === entity && item.id === id);
        go(at >= 0 ? items.slice(0, at + 1) : [...items, { entity, id }]);
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
        const { items } = now();
        if (items.length === 0) return false;
        const below = items.slice(0, -1);
        const tab = below.length > 0 ? leftAt.current.get(printPanelItem(below.at(-1)!)) : undefined;
        store.set(enterTabAtom, tab);
        go(below, tab);
        return true;
      },
      close: () => {
        store.set(formAtom, undefined);
        if (now().items.length > 0) go([]);
      },
      tab: (by) => {
        const { items, top: shown, tab: from } = now();
        const entity = shown && registry.entity(shown.entity);
        const abilities = store.get(actingAtom)?.actor.abilities;
        if (!entity || !abilities) return;
        const tab = neighbourTab(entity, abilities, from, by);
        store.set(enterTabAtom, tab);
        show(items, tab, true);
      },
      tabs: () => {
        const shown = now().top;
        const entity = shown && registry.entity(shown.entity);
        const abilities = store.get(actingAtom)?.actor.abilities;
        return entity && abilities && store.get(formAtom) === undefined ? tabsFor(entity, abilities) : [];
      },
      showTab: (tab) => show(now().items, tab, true),
      step: async (by) => {
        if (await step(by)) return;
        const { panel } = store.get(shownAtom);
        throw new CommandError(message('view:notListed', { name: panel?.name ?? now().top?.id ?? '' }));
      },
      isOpen: () => now().items.length > 0 || store.get(formAtom) !== undefined,
    };
    setHost(host);
    return () => setHost((current) => (current === host ? undefined : current));
  }, [router, show, table, setHost, step, release]);

  return { top, tab: search.tab };
}

/** The items that an address names, the one on top last. */
function stackOf(panel: Search['panel'] = []): readonly PanelItem[] {
  return panel.flatMap((value) => parsePanelItem(value) ?? []);
}

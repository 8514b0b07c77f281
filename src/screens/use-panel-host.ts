import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useSetAtom } from 'jotai';
import { useEffect, useMemo, useRef } from 'react';

import { CommandError } from '#commands/model/errors.ts';
import type { PanelHost } from '#commands/model/screen-hosts.ts';
import { message } from '#commands/text/message.ts';
import { FULL, NO_CHART, type Search } from '#src/address/address.ts';
import { formatPanelItem, parsePanelItem, type PanelItem } from '#src/panel/Panel.tsx';
import { neighborTab, tabsFor } from '#src/panel/tabs.ts';
import { loadedItem } from '#src/panel/use-item.ts';
import { registry } from '#src/registry/registry.ts';
import { tabToFocusAtom, tabFilterAtom, expandedRowAtom, panelHostAtom, visibleTargetsAtom } from '#src/state/focus.ts';
import { expectScreen, waitForView } from '#src/state/key-queue.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { useActiveItem, type FilteredTable } from './use-active-item.ts';
import { usePublishPanelItem, withPanel } from './use-publish-panel-item.ts';

export interface PanelState {
  readonly top: PanelItem | undefined;
  readonly tab: string | undefined;
  /** True if the topmost item fills the screen. Its chart takes precedence, with the item next to it. */
  readonly isFull: boolean;
  /** True if the item or its chart covers the content of the screen. */
  readonly isCovered: boolean;
}

/** The id of the tab with the values of an item. */
const VALUES = 'values';

/** Maximum depth of the stack. Nobody goes back further. */
const MAX_DEPTH = 10;

/**
 * Keeps the panel's stack of items in the URL and publishes its host for commands. If the screen has a table that lists
 * the item, the item is also the active row.
 */
export function usePanelHost(table?: FilteredTable): PanelState {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const setHost = useSetAtom(panelHostAtom);
  const stack = useMemo(() => stackOf(search.panel), [search.panel]);
  const top = stack.at(-1);

  /** For each item, the tab that was open when another item was opened on top. Going back restores the tab. */
  const tabByItem = useRef(new Map<string, string | undefined>());

  const show = useMemo(
    () =>
      (items: readonly PanelItem[], tab: string | undefined, replace: boolean, keepsChart = true): Promise<void> => {
        const panel = items.length > 0 ? items.slice(-MAX_DEPTH).map(formatPanelItem) : undefined;
        // Set immediately, because the next key may come before the URL changes and must not act on the previous item.
        store.set(visibleTargetsAtom, (targets) => withPanel(targets, items.at(-1)));
        return navigate({
          to: '.',
          // A chart belongs to the item that it was opened for, and to its neighbors in the table.
          search: (previous: Search) => ({
            ...previous,
            panel,
            full: panel && previous.full,
            tab: panel && tab,
            ...(panel && keepsChart ? {} : NO_CHART),
          }),
          replace,
        });
      },
    [navigate],
  );

  usePublishPanelItem(top);
  const { step, release } = useActiveItem(table, top, (item) => void show([item], search.tab, true));

  useEffect(() => {
    /** Reads the current URL, even if it is not rendered yet, because a key acts on the previous key's result. */
    const currentState = () => {
      const { panel, tab, full, chart }: Search = router.latestLocation.search;
      const items = stackOf(panel);
      return { items, top: items.at(-1), tab, isFull: full === FULL && !chart };
    };
    const navigateTo = (items: readonly PanelItem[], tab?: string): void => {
      release();
      const previous = currentState();
      const isSameStack = items.map(formatPanelItem).join() === previous.items.map(formatPanelItem).join();
      const navigation = show(items, isSameStack ? (tab ?? previous.tab) : tab, isSameStack, isSameStack);
      if (isSameStack) return;
      expectScreen();
      void waitForView(navigation);
    };
    /** Closes the chart, the layer above the panel. Returns false if there is none. */
    const closeChart = (): boolean => {
      const { chart }: Search = router.latestLocation.search;
      if (!chart) return false;
      void navigate({ to: '.', search: (previous: Search) => ({ ...previous, ...NO_CHART }) });
      return true;
    };
    const setFullScreen = (value: boolean): void => {
      const { items, isFull } = currentState();
      if (items.length === 0 || value === isFull) return;
      void navigate({
        to: '.',
        search: (previous: Search) => ({ ...previous, ...NO_CHART, full: value ? FULL : undefined }),
      });
    };
    const tabsNow = () => {
      const { top: item, isFull } = currentState();
      const entity = item && registry().entity(item.entity);
      const session = store.get(userSessionAtom);
      if (!entity || !session) return [];
      return tabsFor(entity, session.actor.abilities, {
        isFull,
        item: loadedItem(session.organization.id, entity, item.id),
      });
    };
    const host: PanelHost = {
      open: (entity, id, tab, filterValues) => {
        if (tab !== undefined && filterValues)
          store.set(tabFilterAtom, (before) => ({
            item: id,
            tab,
            filterValues,
            requestNumber: (before?.requestNumber ?? 0) + 1,
          }));
        const item = { entity, id };
        const otherItems = currentState().items.filter((panelItem) => panelItem.entity !== entity);
        navigateTo(entity === table?.filter.entity.name ? [item] : [...otherItems, item], tab);
      },
      openChart: (entity, id, fields, range) => {
        host.open(entity, id, VALUES);
        void navigate({
          to: '.',
          search: (previous: Search) => ({
            ...previous,
            chart: fields.length > 0 ? fields : undefined,
            range: range ?? previous.range,
            zoom: undefined,
          }),
          replace: true,
        });
      },
      openOver: (entity, id) => {
        const { items, top: current, tab } = currentState();
        if (current) tabByItem.current.set(formatPanelItem(current), tab);
        const index = items.findIndex((item) => item.entity === entity && item.id === id);
        navigateTo(index >= 0 ? items.slice(0, index + 1) : [...items, { entity, id }]);
      },
      rename: (entity, id, newId) => {
        const { items, tab } = currentState();
        const isRenamed = (item: PanelItem): boolean => item.entity === entity && item.id === id;
        if (items.some(isRenamed))
          void show(
            items.map((item) => (isRenamed(item) ? { entity, id: newId } : item)),
            tab,
            true,
          );
      },
      back: () => {
        const expandedRow = store.get(expandedRowAtom);
        if (expandedRow) {
          expandedRow.close();
          return true;
        }
        if (store.get(formAtom)) {
          store.set(formAtom, undefined);
          return true;
        }
        if (closeChart()) return true;
        const { items, isFull } = currentState();
        if (items.length === 0) return false;
        if (isFull && items.length === 1) {
          setFullScreen(false);
          return true;
        }
        const itemsBelow = items.slice(0, -1);
        const tab = itemsBelow.length > 0 ? tabByItem.current.get(formatPanelItem(itemsBelow.at(-1)!)) : undefined;
        store.set(tabToFocusAtom, tab);
        navigateTo(itemsBelow, tab);
        return true;
      },
      close: () => {
        store.set(formAtom, undefined);
        if (currentState().items.length > 0) navigateTo([]);
      },
      tab: (offset) => {
        const { items, tab: currentTab } = currentState();
        const tab = neighborTab(tabsNow(), currentTab, offset);
        if (tab === undefined) return;
        store.set(tabToFocusAtom, tab);
        void show(items, tab, true);
      },
      tabs: () => (store.get(formAtom) === undefined ? tabsNow() : []),
      showTab: (tab) => void show(currentState().items, tab, true),
      step: async (offset) => {
        if (await step(offset)) return;
        const { panel } = store.get(visibleTargetsAtom);
        throw new CommandError(message('view:notListed', { name: panel?.name ?? currentState().top?.id ?? '' }));
      },
      setFullScreen,
      isFullScreen: () => currentState().isFull,
      isItemOpen: () => currentState().items.length > 0,
      shows: (entity, id) => {
        const { top: item } = currentState();
        return item?.entity === entity && item.id === id && store.get(formAtom) === undefined;
      },
      isOpen: () => currentState().items.length > 0 || store.get(formAtom) !== undefined,
    };
    setHost(host);
    return () => setHost((current) => (current === host ? undefined : current));
  }, [router, show, table, setHost, step, release, navigate]);

  const { tab, full, chart } = search;
  const isOpen = top !== undefined;
  const isFull = isOpen && full === FULL && chart === undefined;
  return { top, tab, isFull, isCovered: isFull || (isOpen && chart !== undefined) };
}

/** Returns the items in a URL, topmost last. */
function stackOf(panel: Search['panel'] = []): readonly PanelItem[] {
  return panel.flatMap((value) => parsePanelItem(value) ?? []);
}

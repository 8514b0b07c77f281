import { atom } from 'jotai';

import type { Focus } from '#commands/model/context.ts';
import { focusOf, type Shown } from '#commands/run/focus.ts';
import type { PanelHost, TableHost } from '#commands/model/host.ts';
import type { Args } from '#commands/model/invocation.ts';

/** What the screen shows: each of the table, the panel and the page tells its own part. */
export const shownAtom = atom<Shown>({});

/** The target that follows from it; read by commands, the palette and the status line. */
export const focusAtom = atom((get): Focus | undefined => focusOf(get(shownAtom)));

/** Closes an opened line of a list in the panel: the layer above the item. */
export const openLineAtom = atom<{ readonly close: () => void } | undefined>(undefined);

/** The table and the panel of the current screen, where it has them: how commands move in them. */
export const tableHostAtom = atom<TableHost | undefined>(undefined);
export const panelHostAtom = atom<PanelHost | undefined>(undefined);

/** What a command asked that a tab of an item is narrowed down by; `round` tells one time from the next. */
export const narrowTabAtom = atom<
  { readonly item: string; readonly tab: string; readonly narrow: Args; readonly round: number } | undefined
>(undefined);

/** The tab of the panel that somebody turned to by key: what it lists takes the focus once it is there. */
export const enterTabAtom = atom<string | undefined>(undefined);

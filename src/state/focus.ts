import { atom } from 'jotai';

import type { Focus } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { BenchHost, ChartHost, PanelHost, TableHost, TimelineHost } from '#commands/model/screen-hosts.ts';
import { resolveFocus, type VisibleTargets } from '#commands/run/focus.ts';

/** The possible targets on the screen. The table, the panel, and the page each set their part. */
export const visibleTargetsAtom = atom<VisibleTargets>({});

/** The target that commands act on, also shown by the palette and the status line. */
export const focusAtom = atom((get): Focus | undefined => resolveFocus(get(visibleTargetsAtom)));

/** The expanded row of a list in the panel, which is a layer above the item. `close` collapses it. */
export const expandedRowAtom = atom<{ readonly close: () => void } | undefined>(undefined);

/** The host of the current screen's table, if any, for commands to act on. */
export const tableHostAtom = atom<TableHost | undefined>(undefined);
/** The host of the current screen's timeline, if any, for commands to act on. */
export const timelineHostAtom = atom<TimelineHost | undefined>(undefined);
/** The host of the current screen's parser bench, if any, for commands to act on. */
export const benchHostAtom = atom<BenchHost | undefined>(undefined);
/** The host of the current screen's panel, if any, for commands to act on. */
export const panelHostAtom = atom<PanelHost | undefined>(undefined);

/** The values chart that commands act on, while visible. */
export const chartHostAtom = atom<ChartHost | undefined>(undefined);

/** The filters that a command set on an item's tab. `requestNumber` distinguishes repeated requests. */
export const tabFilterAtom = atom<
  | { readonly item: string; readonly tab: string; readonly filterValues: Args; readonly requestNumber: number }
  | undefined
>(undefined);

/** The tab that the user switched to with a key. Its list takes focus once it has loaded. */
export const tabToFocusAtom = atom<string | undefined>(undefined);

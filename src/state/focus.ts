import { atom } from 'jotai';

import type { Focus } from '#commands/core/context';
import type { PanelHost, TableHost } from '#commands/core/host';

/** What is selected on the screen; set by the table and the panel, read by commands, the palette and the status line. */
export const focusAtom = atom<Focus | undefined>(undefined);

/** The table and the panel of the current screen, where it has them: how commands move in them. */
export const tableHostAtom = atom<TableHost | undefined>(undefined);
export const panelHostAtom = atom<PanelHost | undefined>(undefined);

/** The tab of the panel that somebody turned to by key: what it lists takes the focus once it is there. */
export const enterTabAtom = atom<string | undefined>(undefined);

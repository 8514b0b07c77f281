import { atom } from 'jotai';

import { createToastStore } from '#src/ui/overlays/toast-store.ts';

export const toasts = createToastStore();

/** The parent of toasts on screens with a table: the top right of its rows. Null if there is no table. */
export const toastsOverRowsAtom = atom<HTMLElement | null>(null);

/** The parent of toasts on other screens, whose controls could be anywhere: a lane below the screen. */
export const toastLaneAtom = atom<HTMLElement | null>(null);

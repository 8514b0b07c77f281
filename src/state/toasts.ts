import { atom } from 'jotai';

import { createToastStore } from '#src/ui/overlays/toast-store.ts';

export const toasts = createToastStore();

/** The parent of toasts on screens with a table: the top right of its rows. Null if there is no table. */
export const toastsOverRowsAtom = atom<HTMLElement | null>(null);

/** The parent of toasts on other screens: a lane below the screen because their controls could be anywhere. */
export const toastLaneAtom = atom<HTMLElement | null>(null);

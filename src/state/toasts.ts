import { atom } from 'jotai';

import { createToastStore } from '#src/ui/overlays/toast-store.ts';

export const toasts = createToastStore();

/** Where toasts lie over nothing but data: the top right of a table's rows. Null while no table is shown. */
export const toastsOverRowsAtom = atom<HTMLElement | null>(null);

/** A lane of their own under the screen, for screens whose controls could be anywhere. */
export const toastLaneAtom = atom<HTMLElement | null>(null);

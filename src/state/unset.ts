import { atom } from 'jotai';

/** True if the panel lists unset details. Kept when the panel shows another item. */
export const showUnsetAtom = atom(false);

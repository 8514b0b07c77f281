import { atom } from 'jotai';

/** Whether the panel lists what is not set; kept while one reads from item to item. */
export const unsetShownAtom = atom(false);

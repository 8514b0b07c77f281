import { atom } from 'jotai';

/** True if the panel lists unset details; kept while moving between items. */
export const showUnsetAtom = atom(false);

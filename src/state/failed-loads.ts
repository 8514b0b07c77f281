import { atom } from 'jotai';

/** What could not be loaded and is on the screen: each asks for it again. */
export const failedLoadsAtom = atom<readonly (() => void)[]>([]);

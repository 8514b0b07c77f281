import { atom } from 'jotai';

/** Retry functions of the failed loads on the screen. */
export const failedLoadsAtom = atom<readonly (() => void)[]>([]);

import { atom } from 'jotai';

/** `offline` once the browser has been offline for {@link OFFLINE_AFTER_MS} (spec 9). */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline';

export const OFFLINE_AFTER_MS = 600_000;

export const connectionAtom = atom<Connection>('connecting');

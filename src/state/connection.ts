import { atom } from 'jotai';

/** How the stream of events is. */
export type Stream = 'connecting' | 'live' | 'reconnecting';

export const streamAtom = atom<Stream>('connecting');

/** Set once the browser has been offline for as long as spec 9 gives it. */
export const offlineAtom = atom(false);

export type Connection = Stream | 'offline';

export const connectionAtom = atom((get): Connection => (get(offlineAtom) ? 'offline' : get(streamAtom)));

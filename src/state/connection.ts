import { atom } from 'jotai';

/** How the stream of events is. */
export type Stream = 'connecting' | 'live' | 'reconnecting';

export const streamAtom = atom<Stream>('connecting');

/**
 * While no call reaches the server: when it is tried next (ms since the epoch), or undefined while it is being tried.
 */
export const awayAtom = atom<{ readonly nextTry: number | undefined } | undefined>(undefined);

export const isAwayAtom = atom((get) => get(awayAtom) !== undefined);

/** Set once the browser has been offline for as long as spec 9 gives it. */
export const offlineAtom = atom(false);

export type Connection = Stream | 'offline';

export const connectionAtom = atom((get): Connection => {
  if (get(offlineAtom)) return 'offline';
  return get(awayAtom) ? 'reconnecting' : get(streamAtom);
});

import { atom } from 'jotai';

/** The state of the event stream. */
export type Stream = 'connecting' | 'live' | 'reconnecting';

export const streamAtom = atom<Stream>('connecting');

/**
 * Set while the server is unreachable: the time of the next attempt (ms since the epoch), or undefined during an
 * attempt.
 */
export const outageAtom = atom<{ readonly nextAttempt: number | undefined } | undefined>(undefined);

export const isUnreachableAtom = atom((get) => get(outageAtom) !== undefined);

/** True if the browser has been offline for a while (spec 9). */
export const isOfflineAtom = atom(false);

export type Connection = Stream | 'offline';

export const connectionAtom = atom((get): Connection => {
  if (get(isOfflineAtom)) return 'offline';
  return get(outageAtom) ? 'reconnecting' : get(streamAtom);
});

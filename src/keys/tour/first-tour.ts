import { useAtomValue } from 'jotai';
import { useEffect } from 'react';

import { hasSeenTour } from '#commands/session/preferences.ts';
import { currentUserId } from '#src/auth/session.ts';
import { isTyping } from '#src/keymap/target.ts';
import { invoke } from '#src/run/invoke.ts';
import { formAtom, helpOpenAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom, type UserSession } from '#src/state/user-session.ts';

import { pendingKeysAtom } from '../pending.ts';
import { hasSeenTourInBrowser } from './tour-storage.ts';

/**
 * Opens the introduction for users who have never seen it. Users who are already doing something see it the next time
 * the console loads.
 */
export function useFirstTour(): void {
  const session = useAtomValue(userSessionAtom);
  const isDue = session !== undefined && isNewUser(session);
  useEffect(() => {
    if (isDue && !isBusy()) void invoke({ id: 'help.tour', args: {} });
    // Decides once per user. Opening when a busy user becomes idle would interrupt their work.
  }, [isDue]);
}

function isNewUser({ organization, preferences }: UserSession): boolean {
  const userId = currentUserId();
  const isHome = organization.id !== '' && !organization.awayFromHome;
  return isHome && userId !== undefined && !hasSeenTour(preferences) && !hasSeenTourInBrowser(userId);
}

/** True if a layer is open, or the user is typing text or a key sequence. */
function isBusy(): boolean {
  const isLayerOpen = store.get(paletteAtom).open || store.get(helpOpenAtom) || store.get(formAtom) !== undefined;
  const isTypingSomething = store.get(pendingKeysAtom) !== undefined || isTyping(document.activeElement);
  return isLayerOpen || isTypingSomething || document.querySelector('dialog[open]') !== null;
}

import { useAtomValue } from 'jotai';
import { useEffect } from 'react';

import { hasSeenTour } from '#commands/session/preferences.ts';
import { currentUserId } from '#src/auth/session.ts';
import { invoke } from '#src/run/invoke.ts';
import { actingAtom, type Acting } from '#src/state/acting.ts';
import { formAtom, helpOpenAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

import { pendingKeysAtom } from '../pending.ts';
import { isTyping } from '../target.ts';
import { sawTour } from './seen.ts';

/**
 * Opens the introduction for a person who has never seen it, unless they are already doing something: then they see it
 * the next time that the console loads.
 */
export function useFirstTour(): void {
  const acting = useAtomValue(actingAtom);
  const isDue = acting !== undefined && isNewPerson(acting);
  useEffect(() => {
    if (isDue && !isBusy()) void invoke({ id: 'help.tour', args: {} });
    // Decides once per person: a busy person becomes idle again later, in the middle of their work.
  }, [isDue]);
}

function isNewPerson({ organization, preferences }: Acting): boolean {
  const person = currentUserId();
  const isHome = organization.id !== '' && !organization.awayFromHome;
  return isHome && person !== undefined && !hasSeenTour(preferences) && !sawTour(person);
}

/** True if a layer is open, or the person is typing text or a key sequence. */
function isBusy(): boolean {
  const isLayerOpen = store.get(paletteAtom).open || store.get(helpOpenAtom) || store.get(formAtom) !== undefined;
  const isInTheMiddle = store.get(pendingKeysAtom) !== undefined || isTyping(document.activeElement);
  return isLayerOpen || isInTheMiddle || document.querySelector('dialog[open]') !== null;
}

import { atom } from 'jotai';

import { settingsAtom } from './settings.ts';
import { store } from './store.ts';

/** Below this the rail would take too much of the screen: a small window, or one zoomed to 200 %. */
const NARROW = '(max-width: 1000px)';

const narrowAtom = atom(false);
narrowAtom.onMount = (set) => {
  const query = window.matchMedia(NARROW);
  const follow = (): void => set(query.matches);
  follow();
  query.addEventListener('change', follow);
  return () => query.removeEventListener('change', follow);
};

/** Opened by hand while the window is narrow; not kept, as the setting is. */
const openWhenNarrowAtom = atom(false);

/** Whether the rail shows icons only: as the person set it, and in a narrow window until they open it. */
export const railCollapsedAtom = atom((get) =>
  get(narrowAtom) ? !get(openWhenNarrowAtom) : get(settingsAtom).railCollapsed,
);

export function toggleRail(): void {
  if (store.get(narrowAtom)) store.set(openWhenNarrowAtom, (open) => !open);
  else store.set(settingsAtom, (all) => ({ ...all, railCollapsed: !all.railCollapsed }));
}

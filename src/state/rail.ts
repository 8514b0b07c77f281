import { atom } from 'jotai';

import { settingsAtom } from './settings.ts';
import { store } from './store.ts';

/** Below this width, the rail would take up too much room, in a small window or at 200% zoom. */
const NARROW = '(max-width: 1000px)';

const isNarrowAtom = atom(false);
isNarrowAtom.onMount = (set) => {
  const query = window.matchMedia(NARROW);
  const update = (): void => set(query.matches);
  update();
  query.addEventListener('change', update);
  return () => query.removeEventListener('change', update);
};

/** True if the user opened the rail in a narrow window. Unlike the setting, this isn't stored. */
const openWhenNarrowAtom = atom(false);

/** True if the rail shows only icons, either because of the setting or, in a narrow window, until the user opens it. */
export const railCollapsedAtom = atom((get) =>
  get(isNarrowAtom) ? !get(openWhenNarrowAtom) : get(settingsAtom).railCollapsed,
);

export function toggleRail(): void {
  if (store.get(isNarrowAtom)) store.set(openWhenNarrowAtom, (open) => !open);
  else store.set(settingsAtom, (settings) => ({ ...settings, railCollapsed: !settings.railCollapsed }));
}

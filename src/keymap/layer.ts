import { helpOpenAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

/** Marks a form whose fields are not there yet. */
export const OPENING = 'data-opening';

/**
 * Whether something was opened that is not on the page yet: the palette and the cheat sheet are loaded after the first
 * rows, and a form asks for what it starts with. What is pressed before it comes is for it, not for the screen below.
 */
export function isLayerAway(): boolean {
  if (isOpened()) return document.querySelector('dialog[open]') === null;
  return document.querySelector(`[${OPENING}]`) !== null;
}

function isOpened(): boolean {
  return store.get(paletteAtom).open || store.get(helpOpenAtom);
}

/** Leaves the palette or the cheat sheet before it has come. @returns whether one of them was opened */
export function leaveLayer(): boolean {
  if (!isOpened()) return false;
  store.set(paletteAtom, { open: false });
  store.set(helpOpenAtom, false);
  return true;
}

/** Calls when the palette or the cheat sheet was opened or left, by whatever. @returns what ends that */
export function watchLayers(changed: () => void): () => void {
  const ends = [store.sub(paletteAtom, changed), store.sub(helpOpenAtom, changed)];
  return () => {
    for (const end of ends) end();
  };
}

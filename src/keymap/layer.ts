import { helpOpenAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

/** Marks a form whose fields are still loading. */
export const OPENING = 'data-opening';

/**
 * True if a layer is open but not on the page yet: the palette and the cheat sheet load after the first screen, and a
 * form loads its initial values. Keystrokes meanwhile are for that layer, not for the screen below.
 */
export function isLayerLoading(): boolean {
  if (isOpened()) return document.querySelector('dialog[open]') === null;
  return document.querySelector(`[${OPENING}]`) !== null;
}

function isOpened(): boolean {
  return store.get(paletteAtom).open || store.get(helpOpenAtom);
}

/** Closes the palette or the cheat sheet before it has appeared. @returns true if one of them was open */
export function closeLoadingLayer(): boolean {
  if (!isOpened()) return false;
  store.set(paletteAtom, { open: false });
  store.set(helpOpenAtom, false);
  return true;
}

/** Calls `onChange` when the palette or the cheat sheet opens or closes. @returns a function that stops it */
export function watchLayers(onChange: () => void): () => void {
  const unsubscribers = [store.sub(paletteAtom, onChange), store.sub(helpOpenAtom, onChange)];
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

import { helpOpenAtom, paletteAtom, tourOpenAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

/** Marks a form whose fields are still loading. */
export const OPENING = 'data-opening';

/**
 * True if a layer is open but not on the page yet: the palette, the cheat sheet and the introduction load after the
 * first screen, and a form loads its initial values. Keystrokes meanwhile are for that layer, not for the screen below.
 */
export function isLayerLoading(): boolean {
  if (isOpened()) return document.querySelector('dialog[open]') === null;
  return document.querySelector(`[${OPENING}]`) !== null;
}

function isOpened(): boolean {
  return store.get(paletteAtom).open || store.get(helpOpenAtom) || store.get(tourOpenAtom);
}

/**
 * Closes a layer before it has appeared.
 *
 * @returns true if one of them was open
 */
export function closeLoadingLayer(): boolean {
  if (!isOpened()) return false;
  store.set(paletteAtom, { open: false });
  store.set(helpOpenAtom, false);
  store.set(tourOpenAtom, false);
  return true;
}

/**
 * Calls `onChange` when one of these layers opens or closes.
 *
 * @returns a function that stops it
 */
export function watchLayers(onChange: () => void): () => void {
  const unsubscribers = [paletteAtom, helpOpenAtom, tourOpenAtom].map((layer) => store.sub(layer, onChange));
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

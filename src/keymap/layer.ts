import { helpOpenAtom, paletteAtom, tourOpenAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

/** Marks a form whose fields are still loading. */
export const LOADING_FORM_ATTRIBUTE = 'data-opening';

/**
 * True if a layer is open but not on the page yet. The palette, the cheat sheet, and the introduction load after the
 * first screen, and a form loads its initial values. Keystrokes meanwhile are meant for that layer, not for the screen
 * below.
 */
export function isLayerLoading(): boolean {
  if (isLayerOpen()) return document.querySelector('dialog[open]') === null;
  return loadingForm() !== null;
}

/** Returns the form whose fields are still loading. */
export function loadingForm(): Element | null {
  return document.querySelector(`[${LOADING_FORM_ATTRIBUTE}]`);
}

export function isLayerOpen(): boolean {
  return store.get(paletteAtom).open || store.get(helpOpenAtom) || store.get(tourOpenAtom);
}

/**
 * Closes an open layer that has not appeared yet.
 *
 * @returns a function that opens it again, or undefined if none was open
 */
export function closeLoadingLayer(): (() => void) | undefined {
  if (!isLayerOpen()) return undefined;
  const palette = store.get(paletteAtom);
  const isHelpOpen = store.get(helpOpenAtom);
  const isTourOpen = store.get(tourOpenAtom);
  store.set(paletteAtom, { open: false });
  store.set(helpOpenAtom, false);
  store.set(tourOpenAtom, false);
  return () => {
    store.set(paletteAtom, palette);
    store.set(helpOpenAtom, isHelpOpen);
    store.set(tourOpenAtom, isTourOpen);
  };
}

/**
 * Calls `onChange` when the palette, the cheat sheet, or the introduction opens or closes.
 *
 * @returns a function that stops it
 */
export function watchLayers(onChange: () => void): () => void {
  const unsubscribers = [paletteAtom, helpOpenAtom, tourOpenAtom].map((layer) => store.sub(layer, onChange));
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

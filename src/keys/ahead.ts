import { helpOpenAtom, paletteAtom } from '../state/layers.ts';
import { store } from '../state/store.ts';

/**
 * For a press while no layer is on the page. The palette and the cheat sheet are loaded after the first rows: once one of them was opened, what
 * is pressed before it comes is not for the screen below. The palette begins with what was typed ahead;
 * Enter is not kept, since nobody has seen what it would run.
 */
export function takeAhead({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const palette = store.get(paletteAtom);
  if (!palette.open) {
    if (!store.get(helpOpenAtom)) return false;
    if (key === 'Escape') store.set(helpOpenAtom, false);
    return true;
  }
  const { start } = palette;
  if (key === 'Escape') store.set(paletteAtom, { open: false });
  else if ([...key].length === 1 && !ctrlKey && !metaKey && !altKey && (!start || 'prefix' in start)) {
    store.set(paletteAtom, { open: true, start: { prefix: (start?.prefix ?? '') + key } });
  }
  return true;
}

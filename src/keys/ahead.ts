import { helpOpenAtom, paletteAtom } from '../state/layers.ts';
import { store } from '../state/store.ts';

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * For a press while no layer is on the page. The palette and the cheat sheet are loaded after the first rows: once one of them was opened, what
 * is pressed before it comes is not for the screen below. The palette begins with what was typed ahead;
 * Enter is not kept, since nobody has seen what it would run.
 */
export function takeAhead(event: Press): boolean {
  const { key } = event;
  const palette = store.get(paletteAtom);
  if (!palette.open) {
    if (!store.get(helpOpenAtom)) return false;
    if (key === 'Escape') store.set(helpOpenAtom, false);
    return true;
  }
  const ahead = typedAhead(palette.ahead ?? '', event);
  if (key === 'Escape') store.set(paletteAtom, { open: false });
  else if (ahead !== undefined) store.set(paletteAtom, { ...palette, ahead });
  return true;
}

/** A text that is not in a field yet, after a press; undefined for a press that types nothing. */
export function typedAhead(text: string, { key, ctrlKey, metaKey, altKey }: Press): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Backspace') return [...text].slice(0, -1).join('');
  return [...key].length === 1 ? text + key : undefined;
}

import { APPLE } from './press.ts';
import { isTyping } from './target.ts';

/** Returns the step through the history (-1 is Back) that the browser takes on a keystroke, if any. */
export function historyStep(event: KeyboardEvent, isApple = APPLE): -1 | 1 | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey, target } = event;
  if (ctrlKey || shiftKey) return undefined;
  const isArrow = key.startsWith('Arrow');
  if (altKey !== (isArrow && !isApple) || metaKey !== ((isArrow || isBracket(key)) && isApple)) return undefined;
  // On a Mac, this chord moves the cursor of a field.
  if (isArrow && isApple && isTyping(target)) return undefined;
  if (key === 'BrowserBack' || key === 'ArrowLeft' || (key === '[' && isApple)) return -1;
  if (key === 'BrowserForward' || key === 'ArrowRight' || (key === ']' && isApple)) return 1;
  return undefined;
}

/** Returns the step through the history that the browser takes when a button of the mouse is released, if any. */
export function historyButton({ button }: MouseEvent): -1 | 1 | undefined {
  return button === 3 ? -1 : button === 4 ? 1 : undefined;
}

const isBracket = (key: string): boolean => key === '[' || key === ']';

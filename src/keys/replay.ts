import { tabbable } from 'tabbable';

import { isPressable, isTyping } from './target.ts';

const replayed = new WeakSet<Event>();

/** Whether a press is one that was kept, and now is what it would have been if it had come later. */
export function isReplayed(event: Event): boolean {
  return replayed.has(event);
}

/** Chords that the console has a meaning for wherever they are pressed. */
const CHORDS = ['a', 'k', 'Backspace', 'Enter'];

/**
 * Whether a press can be done later: not what the browser does by itself with a chord, or with the cursor of a field.
 */
export function canBeReplayed(event: KeyboardEvent): boolean {
  const { key, altKey, target } = event;
  const movesCursor = isTyping(target) && ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Delete'].includes(key);
  const isKept = !hasModifier(event) || (!altKey && CHORDS.includes(key));
  return isKept && !/^F\d+$/.test(key) && !movesCursor;
}

export function hasModifier({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}

/**
 * Presses a key again, on what has the focus by now: the press before it may have led to a field, which takes the text,
 * or to a button. A page cannot make the browser do what it does for a real press, so that is done here for what a kept
 * press can be.
 * @returns whether it was typed into a field
 */
export function replay(event: KeyboardEvent): boolean {
  const { key, code, location, repeat, shiftKey, ctrlKey, altKey, metaKey } = event;
  const focus = document.activeElement ?? document.body;
  const press = { key, code, location, repeat, shiftKey, ctrlKey, altKey, metaKey };
  const again = new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true, composed: true });
  replayed.add(again);
  if (!focus.dispatchEvent(again)) return false;
  if (hasModifier(event)) chord(focus, key);
  else if (key === 'Tab') moveFocus(focus, shiftKey);
  else if (key === 'Escape') cancelDialog(focus.closest('dialog'));
  else if (key === 'Enter' && focus instanceof HTMLInputElement && focus.form) focus.form.requestSubmit();
  else if (isTyping(focus)) return type(focus, key);
  else if ((key === 'Enter' || key === ' ') && isPressable(focus) && focus instanceof HTMLElement) focus.click();
  return false;
}

/**
 * To the next stop of Tab, or the one before; around at the end of a dialog or the page, where the browser would have
 * its own bar.
 */
function moveFocus(from: Element, back: boolean): void {
  const stops = tabbable(from.closest('dialog[open]') ?? document.body);
  const side = back ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const isBeyond = (stop: Element): boolean => (from.compareDocumentPosition(stop) & side) !== 0;
  const next = back ? (stops.findLast(isBeyond) ?? stops.at(-1)) : (stops.find(isBeyond) ?? stops[0]);
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}

function cancelDialog(dialog: HTMLDialogElement | null): void {
  if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
}

/** Selects all, or takes out the word before the cursor. */
function chord(field: Element, key: string): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (key === 'a') return field.select();
  const { selectionStart: start, selectionEnd: end, value } = field;
  if (key !== 'Backspace' || start === null || end === null) return;
  replace(field, '', start === end ? value.slice(0, start).replace(/\S+\s*$/, '').length : start, end);
}

/** Puts a character where the cursor is, or takes one out. */
function type(field: Element, key: string): boolean {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  const { selectionStart: start, selectionEnd: end } = field;
  if (start === null || end === null) return false;
  if ([...key].length === 1) replace(field, key, start, end);
  else if (key === 'Backspace') replace(field, '', start === end ? Math.max(0, start - 1) : start, end);
  return true;
}

function replace(field: HTMLInputElement | HTMLTextAreaElement, text: string, start: number, end: number): void {
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }));
}

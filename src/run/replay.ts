import { historyStep } from '#src/keymap/history-step.ts';
import { isPressable, isTyping } from '#src/keymap/target.ts';
import { report } from '#src/net/report.ts';
import { holdKeys, type Task } from '#src/state/key-queue.ts';

const replayed = new WeakSet<Event>();

/** True for an event that replays a held keystroke. */
export function isReplayed(event: Event): boolean {
  return replayed.has(event);
}

/** Chords that the console handles everywhere. */
const CHORDS = ['a', 'k', 'Backspace', 'Enter'];

/**
 * True if a keystroke can be replayed later. Chords and cursor movements that the browser itself handles cannot, except
 * Back and Forward, which would leave the view that earlier keystrokes are meant for.
 */
export function canBeReplayed(event: KeyboardEvent): boolean {
  const { key, altKey, target } = event;
  if (historyStep(event) !== undefined) return true;
  const movesCursor = isTyping(target) && ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Delete'].includes(key);
  const isReplayable = !hasModifier(event) || (!altKey && CHORDS.includes(key));
  return isReplayable && !/^F\d+$/.test(key) && !movesCursor;
}

export function hasModifier({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}

/**
 * Replays a keystroke on the element that has focus now, because an earlier keystroke may have focused a field, which
 * receives the text, or a button. A synthetic event does not trigger the browser's default action, so this function
 * performs it for every kind of held keystroke.
 *
 * @returns true if it typed into a field
 */
export function replay(event: KeyboardEvent): boolean {
  const { key, shiftKey } = event;
  const focus = document.activeElement ?? document.body;
  if (replayOn(focus, event)) return false;
  const step = historyStep(event);
  if (step !== undefined) history.go(step);
  else if (hasModifier(event)) performChord(focus, key);
  else if (key === 'Tab') moveFocus(focus, shiftKey).catch(report);
  else if (key === 'Escape') cancelDialog(focus.closest('dialog'));
  else if (key === 'Enter' && focus instanceof HTMLInputElement && focus.form) focus.form.requestSubmit();
  else if (isTyping(focus)) return type(focus, key);
  else if ((key === 'Enter' || key === ' ') && isPressable(focus) && focus instanceof HTMLElement) focus.click();
  return false;
}

/**
 * Repeats a keystroke on an element, without the browser's default action.
 *
 * @returns true if it was handled
 */
export function replayOn(element: Element, event: KeyboardEvent): boolean {
  const { key, code, location, repeat, shiftKey, ctrlKey, altKey, metaKey } = event;
  const press = { key, code, location, repeat, shiftKey, ctrlKey, altKey, metaKey };
  const copy = new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true, composed: true });
  replayed.add(copy);
  return !element.dispatchEvent(copy);
}

/**
 * Moves to the next or previous tab stop, wrapping at the ends of the dialog or page, where the browser would move to
 * its own UI. Later keystrokes wait, because the code that finds the tab stops loads on first use.
 */
async function moveFocus(from: Element, back: boolean): Promise<void> {
  const keys = holdKeys();
  const { tabbable } = await import('tabbable').finally(keys.release);
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

/** Returns a task that replays a keystroke. */
export const createReplay = (event: KeyboardEvent): Task =>
  Object.assign(() => replay(event), { isEnter: event.key === 'Enter' });

/** Pastes text into the element that has focus now. The element may handle it itself, as the palette does. */
export function replayPaste(text: string): void {
  const focus = document.activeElement ?? document.body;
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  // Firefox ignores `clipboardData` and reads the text from these instead.
  const firefoxData = { data: text, dataType: 'text/plain' };
  const options = { bubbles: true, cancelable: true, composed: true };
  const copy = new ClipboardEvent('paste', { clipboardData, ...firefoxData, ...options });
  replayed.add(copy);
  if (!focus.dispatchEvent(copy) || !isTyping(focus)) return;
  // Like the browser, which keeps the lines apart in a field that has only one.
  type(focus, focus instanceof HTMLInputElement ? text.replace(/[\r\n]+/g, ' ') : text, true);
}

/** Selects everything, or deletes the word before the cursor. */
function performChord(field: Element, key: string): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (key === 'a') return field.select();
  const { selectionStart: start, selectionEnd: end, value } = field;
  if (key !== 'Backspace' || start === null || end === null) return;
  replace(field, '', start === end ? value.slice(0, start).replace(/\S+\s*$/, '').length : start, end);
}

/** Inserts a character or pasted text at the cursor, or deletes a character. */
function type(field: Element, key: string, isText = [...key].length === 1): boolean {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  const { selectionStart: start, selectionEnd: end } = field;
  if (start === null || end === null) return false;
  if (isText) replace(field, key, start, end);
  else if (key === 'Backspace') replace(field, '', start === end ? Math.max(0, start - 1) : start, end);
  return true;
}

function replace(field: HTMLInputElement | HTMLTextAreaElement, text: string, start: number, end: number): void {
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }));
}

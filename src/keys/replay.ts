import { isPressable, isTyping } from './target.ts';

const replayed = new WeakSet<Event>();

/** Whether a press is one that was kept, and now is what it would have been if it had come later. */
export function isReplayed(event: Event): boolean {
  return replayed.has(event);
}

/** Whether a press can be done later: not what the browser does by itself with a chord, with Tab, or with the cursor of a field. */
export function canBeReplayed({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const movesCursor = isTyping(target) && ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Delete'].includes(key);
  return !(ctrlKey || metaKey || altKey) && key !== 'Tab' && !/^F\d+$/.test(key) && !movesCursor;
}

/**
 * Presses a key again, on what has the focus by now: the press before it may have led to a field, which takes the text, or to a button. A page
 * cannot make the browser do what it does for a real press, so that is done here for what a kept press can be.
 */
export function replay({ key, code, location, repeat, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): void {
  const focus = document.activeElement ?? document.body;
  const press = { key, code, location, repeat, shiftKey, ctrlKey, altKey, metaKey };
  const again = new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true, composed: true });
  replayed.add(again);
  if (!focus.dispatchEvent(again)) return;
  if (key === 'Enter' && focus instanceof HTMLInputElement && focus.form) focus.form.requestSubmit();
  else if (isTyping(focus)) type(focus, key);
  else if ((key === 'Enter' || key === ' ') && isPressable(focus) && focus instanceof HTMLElement) focus.click();
}

/** Puts a character where the cursor is, or takes one out. */
function type(field: Element, key: string): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const { selectionStart: start, selectionEnd: end } = field;
  if (start === null || end === null) return;
  if ([...key].length === 1) field.setRangeText(key, start, end, 'end');
  else if (key === 'Backspace') field.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end');
  else return;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: key, inputType: 'insertText' }));
}

const TYPING =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="searchbox"], [role="combobox"], ' +
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="range"], [type="file"], [type="color"])';
const PRESSABLE =
  'button, a[href], summary, input, [role="button"], [role="tab"], [role="menuitem"], [role="option"], [role="switch"], [role="checkbox"]';

/** True if the focused element accepts typed characters. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null;
}

/** True if Enter and Space press the focused element, and therefore run no binding. */
export function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(PRESSABLE) !== null;
}

/** True for a keystroke that the focused field needs, to type or to edit text. */
export function isText(event: KeyboardEvent): boolean {
  const isChord = event.metaKey || (event.ctrlKey && !event.getModifierState('AltGraph'));
  // With Alt, keys type symbols on some layouts.
  const isNamedKey = event.key.length > 1 && (event.altKey || /^F\d+$/.test(event.key));
  return isTyping(event.target) && !isChord && !isNamedKey;
}

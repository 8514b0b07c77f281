import { APPLE, isModifier, latinLetterOf, symbolModifiers, type KeyEvent } from '#src/keymap/press.ts';

/**
 * Returns a keystroke in binding syntax (`Shift+K`, `$mod+k`, `?`). Undefined while only modifiers are held. On a
 * layout without Latin letters, returns the letter in the same position on a US keyboard, so the keys work on every
 * layout.
 */
export function toKeystroke(event: KeyEvent): string | undefined {
  if (isModifier(event)) return undefined;
  const typed = latinLetterOf(event) ?? event.key;
  const isLetter = /^[a-z]$/i.test(typed);
  // A symbol is recorded as itself, regardless of how the layout produces it.
  const isSymbol = typed.length === 1 && !isLetter && typed !== ' ';
  const ignored = isSymbol ? ['Shift', ...symbolModifiers(event)] : [];
  const isHeld = (mod: string): boolean => event.getModifierState(mod) && !ignored.includes(mod);
  const mods = [
    ...(isHeld('Control') ? [APPLE ? 'Control' : '$mod'] : []),
    ...(isHeld('Meta') ? [APPLE ? '$mod' : 'Meta'] : []),
    ...(isHeld('Alt') ? ['Alt'] : []),
    ...(isHeld('Shift') ? ['Shift'] : []),
  ];
  const letter = isHeld('Shift') ? typed.toUpperCase() : typed.toLowerCase();
  return [...mods, typed === ' ' ? 'Space' : isLetter ? letter : typed].join('+');
}

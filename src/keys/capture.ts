import { isModifier } from '#src/keymap/press.ts';

const APPLE = /Mac|iPod|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

type PressEvent = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'getModifierState'>;

/** Returns a keystroke in binding syntax (`Shift+K`, `$mod+k`, `?`). Undefined while only modifiers are held. */
export function pressOf(event: PressEvent): string | undefined {
  if (isModifier({ key: event.key, code: '', getModifierState: () => false })) return undefined;
  const isLetter = /^[a-z]$/i.test(event.key);
  // A symbol is recorded as itself, regardless of how the layout produces it.
  const isSymbol = event.key.length === 1 && !isLetter && event.key !== ' ';
  const mods = [
    ...(event.ctrlKey && !isSymbol ? [APPLE ? 'Control' : '$mod'] : []),
    ...(event.metaKey ? [APPLE ? '$mod' : 'Meta'] : []),
    ...(event.altKey && !isSymbol ? ['Alt'] : []),
    ...(event.shiftKey && !isSymbol ? ['Shift'] : []),
  ];
  const key = event.key === ' ' ? 'Space' : isLetter && !event.shiftKey ? event.key.toLowerCase() : event.key;
  return [...mods, key].join('+');
}

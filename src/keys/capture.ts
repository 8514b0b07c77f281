import { isModifier } from '#src/keymap/press.ts';

const APPLE = /Mac|iPod|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'getModifierState'>;

/** Returns a keystroke in binding syntax (`Shift+K`, `$mod+k`, `?`); undefined while only modifiers are held. */
export function pressOf(event: Pressed): string | undefined {
  if (isModifier({ key: event.key, code: '', getModifierState: () => false })) return undefined;
  const letter = /^[a-z]$/i.test(event.key);
  // A symbol is recorded as itself, regardless of how the layout produces it.
  const symbol = event.key.length === 1 && !letter && event.key !== ' ';
  const mods = [
    ...(event.ctrlKey && !symbol ? [APPLE ? 'Control' : '$mod'] : []),
    ...(event.metaKey ? [APPLE ? '$mod' : 'Meta'] : []),
    ...(event.altKey && !symbol ? ['Alt'] : []),
    ...(event.shiftKey && !symbol ? ['Shift'] : []),
  ];
  const key = event.key === ' ' ? 'Space' : letter && !event.shiftKey ? event.key.toLowerCase() : event.key;
  return [...mods, key].join('+');
}

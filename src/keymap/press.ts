import { matchKeyBindingPress, parseKeybinding, type KeyBindingPress } from 'tinykeys';

/** One keystroke of a sequence, as parsed by tinykeys: the required modifiers, and the key. */
export type Press = KeyBindingPress;

/** The properties of a keyboard event needed for matching. */
export type KeyEvent = Pick<KeyboardEvent, 'key' | 'code' | 'getModifierState'>;

/** True on a Mac, where Option types symbols as AltGr does elsewhere. */
export const APPLE = /Mac|iPod|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** The maximum length of a sequence. Longer ones would be slower than the palette. */
export const MAX_PRESSES = 4;

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Fn', 'OS']);

/** Symbols by key position on a US keyboard, for layouts that have letters of another script in those positions. */
const POSITIONS: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  Slash: ['/', '?'],
  Semicolon: [';', ':'],
  Period: ['.', '>'],
  Comma: [',', '<'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Quote: ["'", '"'],
};

/** Returns the keystrokes of a binding. A capital letter means that letter with Shift. */
export function parseKeys(keys: string): readonly Press[] {
  return parseKeybinding(keys.replace(/(^| )([A-Z])(?= |$)/g, '$1Shift+$2'));
}

export function isModifier(event: KeyEvent): boolean {
  return MODIFIERS.has(event.key);
}

/** True while an input method is active, which uses the keys itself. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229 || ['Process', 'Dead', 'Unidentified'].includes(event.key);
}

/** True if the event matches the keystroke by the letter or symbol that the layout produces. */
export function matchesPress(event: KeyEvent, press: Press): boolean {
  const [mods, key] = press;
  if (isSymbolPress(press)) return event.key === key && modifiersMatch(event, mods);
  return matchKeyBindingPress(event as KeyboardEvent, press);
}

/**
 * True if the event matches the keystroke by key position. This is for layouts that have no Latin letter there
 * (Cyrillic, Greek, Hebrew …), or digits only with Shift (French).
 */
export function matchesPosition(event: KeyEvent, press: Press): boolean {
  const key = latinKeyOf(event);
  return (
    key !== undefined &&
    matchesPress({ key, code: event.code, getModifierState: (name) => event.getModifierState(name) }, press)
  );
}

/**
 * True if a keystroke types a character. WCAG 2.1.4 requires a way to turn off such shortcuts, and in a field they are
 * text.
 */
export function typesCharacter([mods, key]: Press): boolean {
  const isChord = mods.some((mod) => mod !== 'Shift');
  return !isChord && (typeof key !== 'string' || key.length === 1 || key === 'Space');
}

/** True if the keystroke types a symbol, for which the layout can require Shift. */
export function isSymbolPress([, key]: Press): boolean {
  return typeof key === 'string' && key.length === 1 && !/[a-z]/i.test(key);
}

/** Ignores Shift and AltGr for symbols, because the layout can require them (`?`, `:`, `*`, `[`). */
function modifiersMatch(event: KeyEvent, mods: readonly string[]): boolean {
  const ignored = symbolModifiers(event);
  return ['Control', 'Alt', 'Meta'].every(
    (mod) => mods.includes(mod) === event.getModifierState(mod) || ignored.includes(mod),
  );
}

/** Returns the held modifiers that can be part of typing a symbol. Windows reports AltGr as Ctrl and Alt. */
export function symbolModifiers(event: Pick<KeyEvent, 'getModifierState'>): readonly string[] {
  if (event.getModifierState('AltGraph')) return ['Control', 'Alt'];
  return APPLE ? ['Alt'] : [];
}

function latinKeyOf(event: KeyEvent): string | undefined {
  const { key, code } = event;
  if ([...key].length !== 1) return undefined;
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined) return /[\da-z]/i.test(key) || event.getModifierState('Shift') ? undefined : digit;
  return latinLetterOf(event);
}

/**
 * Returns the lowercase letter or the symbol in the event's position on a US keyboard. Undefined if the layout has a
 * Latin letter, a digit, or a symbol there.
 */
export function latinLetterOf(event: KeyEvent): string | undefined {
  const { key, code } = event;
  if ([...key].length !== 1 || !/\p{L}/u.test(key) || /\p{Script=Latin}/u.test(key)) return undefined;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter?.toLowerCase() ?? POSITIONS[code]?.[event.getModifierState('Shift') ? 1 : 0];
}

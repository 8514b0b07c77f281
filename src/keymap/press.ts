import { matchKeyBindingPress, parseKeybinding, type KeyBindingPress } from 'tinykeys';

/** One press of a sequence, as tinykeys parses it: the modifiers that must be held, and the key. */
export type Press = KeyBindingPress;

/** What matching reads of a keyboard event. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'getModifierState'>;

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Fn', 'OS']);

/** Where a US keyboard has the symbols, for layouts whose keys there give a letter of another script. */
const POSITIONS: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  Slash: ['/', '?'],
  Semicolon: [';', ':'],
  Period: ['.', '>'],
  Comma: [',', '<'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Quote: ["'", '"'],
};

/** The presses of a binding. A capital letter alone is that letter with Shift. */
export function parseKeys(keys: string): readonly Press[] {
  return parseKeybinding(keys.replace(/(^| )([A-Z])(?= |$)/g, '$1Shift+$2'));
}

export function isModifier(event: Pressed): boolean {
  return MODIFIERS.has(event.key);
}

/** True while an input method is at work: the keys are its own. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229 || ['Process', 'Dead', 'Unidentified'].includes(event.key);
}

/** Whether the event is this press by the letter or symbol that the layout gives it. */
export function matchesPress(event: Pressed, press: Press): boolean {
  const [mods, key] = press;
  if (typeof key === 'string' && isSymbol(key)) return event.key === key && modifiersFit(event, mods);
  return matchKeyBindingPress(event as KeyboardEvent, press);
}

/**
 * Whether the event is this press by the place of its key: for layouts that have no Latin letter there (Cyrillic,
 * Greek, Hebrew …) or that give digits only with Shift (French).
 */
export function matchesPosition(event: Pressed, press: Press): boolean {
  const key = keyAt(event);
  return (
    key !== undefined &&
    matchesPress({ key, code: event.code, getModifierState: (name) => event.getModifierState(name) }, press)
  );
}

/** A press that types a character: what WCAG 2.1.4 asks to be able to turn off, and what a field takes for text. */
export function typesCharacter([mods, key]: Press): boolean {
  const chord = mods.some((mod) => mod !== 'Shift');
  return !chord && (typeof key !== 'string' || key.length === 1 || key === 'Space');
}

function isSymbol(key: string): boolean {
  return key.length === 1 && !/[a-z]/i.test(key);
}

/** Shift and AltGr may be what the symbol takes on this layout, so they are not asked about (`?`, `:`, `*`, `[`). */
function modifiersFit(event: Pressed, mods: readonly string[]): boolean {
  const altGraph = event.getModifierState('AltGraph');
  return ['Control', 'Alt', 'Meta'].every(
    (mod) => mods.includes(mod) === event.getModifierState(mod) || (altGraph && mod !== 'Meta'),
  );
}

function keyAt(event: Pressed): string | undefined {
  const { key, code } = event;
  if ([...key].length !== 1) return undefined;
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined) return /[\da-z]/i.test(key) || event.getModifierState('Shift') ? undefined : digit;
  if (!/\p{L}/u.test(key) || /\p{Script=Latin}/u.test(key)) return undefined;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter?.toLowerCase() ?? POSITIONS[code]?.[event.getModifierState('Shift') ? 1 : 0];
}

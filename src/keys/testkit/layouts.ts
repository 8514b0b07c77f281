/** A keystroke that types a character in some layout: the physical key, and the modifiers that the layout requires. */
export interface Stroke {
  readonly key: string;
  readonly code: string;
  readonly shift?: boolean;
  readonly altGraph?: boolean;
}

type Layout = Readonly<Record<string, Stroke>>;

const LATIN = [...'abcdefghijklmnopqrstuvwxyz'];
const DIGITS = [...'1234567890'];

/**
 * Returns the letters of a layout, lowercase and uppercase. `moved` names the physical keys that differ from the US
 * layout.
 */
function letters(movedLetters: Readonly<Record<string, string>> = {}): Layout {
  return Object.fromEntries(
    LATIN.flatMap((letter): [string, Stroke][] => {
      const code = movedLetters[letter] ?? `Key${letter.toUpperCase()}`;
      const capital = letter.toUpperCase();
      return [
        [letter, { key: letter, code }],
        [capital, { key: capital, code, shift: true }],
      ];
    }),
  );
}

const plainDigits: Layout = Object.fromEntries(DIGITS.map((digit) => [digit, { key: digit, code: `Digit${digit}` }]));

/** Returns the symbols of a layout, each with its physical key and the modifier it requires: `? Slash shift`. */
function symbols(...lines: readonly string[]): Layout {
  return Object.fromEntries(
    lines.map((line): [string, Stroke] => {
      const [key = '', code = '', modifier] = line.split(' ');
      return [key, { key, code, ...(modifier === undefined ? {} : { [modifier]: true }) }];
    }),
  );
}

/** The letters at the physical keys of `LATIN`, in the same order. */
const CYRILLIC = [...'фисвуапршолдьтщзйкыегмцчня'];

/**
 * Returns the letters of the Russian layout. It has no Latin letters, so users press the key that types the letter on a
 * US keyboard.
 */
function cyrillicLetters(): Layout {
  return Object.fromEntries(
    Object.entries(letters()).map(([letter, stroke]): [string, Stroke] => {
      const cyrillic = CYRILLIC[LATIN.indexOf(letter.toLowerCase())]!;
      return [letter, { ...stroke, key: stroke.shift ? cyrillic.toUpperCase() : cyrillic }];
    }),
  );
}

/** How to type each character of a key binding, keyed by layout. */
export const LAYOUTS = {
  US: {
    ...letters(),
    ...plainDigits,
    ...symbols(
      '/ Slash',
      '. Period',
      ', Comma',
      '[ BracketLeft',
      '] BracketRight',
      '? Slash shift',
      ': Semicolon shift',
      '* Digit8 shift',
      '! Digit1 shift',
      '{ BracketLeft shift',
      '} BracketRight shift',
    ),
  },
  AZERTY: {
    ...letters({ a: 'KeyQ', q: 'KeyA', z: 'KeyW', w: 'KeyZ', m: 'Semicolon' }),
    // Digits require Shift. Without it, the keys type these characters.
    ...Object.fromEntries(
      [...'&é"\'(-è_çà'].map((key, index) => [DIGITS[index]!, { key, code: `Digit${DIGITS[index]}` }]),
    ),
    ...symbols(
      ', KeyM',
      '? KeyM shift',
      '. Comma shift',
      ': Period',
      '/ Period shift',
      '* Backslash',
      '! Slash',
      '[ Digit5 altGraph',
      '] Minus altGraph',
      '{ Digit4 altGraph',
      '} Equal altGraph',
    ),
  },
  QWERTZ: {
    ...letters({ y: 'KeyZ', z: 'KeyY' }),
    ...plainDigits,
    ...symbols(
      ', Comma',
      '? Minus shift',
      '. Period',
      ': Period shift',
      '/ Digit7 shift',
      '* BracketRight shift',
      '! Digit1 shift',
      '[ Digit8 altGraph',
      '] Digit9 altGraph',
      '{ Digit7 altGraph',
      '} Digit0 altGraph',
    ),
  },
  Cyrillic: {
    ...cyrillicLetters(),
    ...plainDigits,
    ...symbols(
      '. Slash',
      ', Slash shift',
      '/ Backslash shift',
      '? Digit7 shift',
      ': Digit6 shift',
      '* Digit8 shift',
      '! Digit1 shift',
    ),
    '[': { key: 'х', code: 'BracketLeft' },
    ']': { key: 'ъ', code: 'BracketRight' },
    '{': { key: 'Х', code: 'BracketLeft', shift: true },
    '}': { key: 'Ъ', code: 'BracketRight', shift: true },
  },
} as const satisfies Readonly<Record<string, Layout>>;

export type LayoutName = keyof typeof LAYOUTS;

/**
 * Creates the events for a key sequence (`c w`, `Shift+G`, `$mod+k`, `Escape`) as a keyboard with the given layout
 * sends them.
 */
export function createEvents(keys: string, layout: LayoutName): readonly KeyboardEvent[] {
  return keys.split(' ').map((press) => {
    const parts = press === '+' ? ['+'] : press.split('+');
    const [key = '', mods] = [parts.at(-1), parts.slice(0, -1)];
    const strokes: Layout = LAYOUTS[layout];
    const isShifted = mods.includes('Shift');
    const character = isShifted && /^[a-z]$/i.test(key) ? key.toUpperCase() : key;
    const stroke = strokes[character] ?? { key, code: key };
    const isChord = mods.includes('$mod');
    const event = new KeyboardEvent('keydown', {
      key: stroke.key,
      code: stroke.code,
      shiftKey: isShifted || stroke.shift === true,
      // Windows reports AltGr as Ctrl and Alt.
      ctrlKey: isChord || stroke.altGraph === true,
      altKey: mods.includes('Alt') || stroke.altGraph === true,
      bubbles: true,
      cancelable: true,
    });
    const { ctrlKey, altKey, shiftKey } = event;
    const modifierStates = { Control: ctrlKey, Alt: altKey, Shift: shiftKey, AltGraph: stroke.altGraph === true };
    event.getModifierState = (name) => modifierStates[name as keyof typeof modifierStates] ?? false;
    return event;
  });
}

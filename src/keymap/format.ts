import type { KeyHint } from '#src/ui/key-hint.ts';

import { APPLE, parseKeys, type Press } from './press.ts';

const NAMES: Readonly<Record<string, string>> = {
  Escape: 'esc',
  Enter: '⏎',
  Backspace: '⌫',
  Delete: 'del',
  Tab: '⇥',
  Space: 'space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'pgup',
  PageDown: 'pgdn',
  Home: 'home',
  End: 'end',
};

const APPLE_MODIFIERS: Readonly<Record<string, string>> = { Control: '⌃', Alt: '⌥', Shift: '⇧', Meta: '⌘' };
const MODIFIERS: Readonly<Record<string, string>> = { Control: 'Ctrl', Alt: 'Alt', Shift: 'Shift', Meta: 'Meta' };

/** Formats key sequences for display: `c w`, `G`, `⌘K` on a Mac and `Ctrl K` elsewhere, `esc`, `⏎`. */
export function formatKeys(keys: string, apple: boolean = APPLE): string {
  return pressesFor(keys, apple)
    .map((press) => formatPress(press, apple))
    .join(' ');
}

/** Returns a command's keys for display, with ARIA attributes for an element that does the same as the command. */
export function toKeyHint(keys: string | readonly string[], apple: boolean = APPLE): KeyHint {
  const sequences = [keys].flat();
  const text = sequences.map((sequence) => formatKeys(sequence, apple)).join('  ');
  const presses = sequences.map((sequence) => pressesFor(sequence, apple));
  if (presses.some(({ length }) => length !== 1)) return { text, attributes: { 'aria-description': text } };
  const shortcuts = presses.flat().map(([mods, key]) => [...mods, key === '+' ? 'Plus' : key].join('+'));
  return { text, attributes: { 'aria-keyshortcuts': shortcuts.join(' ') } };
}

/** The parser resolves `$mod` only for this platform, but tests also need the other platform. */
function pressesFor(keys: string, apple: boolean): readonly Press[] {
  return parseKeys(keys.replaceAll('$mod', apple ? 'Meta' : 'Control'));
}

function formatPress([mods, key]: Press, apple: boolean): string {
  const name = typeof key === 'string' ? (NAMES[key] ?? key) : key.source;
  const isLetter = name.length === 1 && /[a-z]/i.test(name);
  if (mods.length === 0) return name;
  if (isLetter && mods.length === 1 && mods[0] === 'Shift') return name.toUpperCase();
  const label = isLetter ? name.toUpperCase() : name;
  return apple
    ? mods.map((mod) => APPLE_MODIFIERS[mod] ?? mod).join('') + label
    : [...mods.map((mod) => MODIFIERS[mod] ?? mod), label].join(' ');
}

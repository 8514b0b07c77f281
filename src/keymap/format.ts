import { parseKeys, type Press } from './press.ts';

const APPLE = /Mac|iPod|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

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
  // The parser resolves `$mod` for this platform only; tests also need the other one.
  const mod = apple ? 'Meta' : 'Control';
  return parseKeys(keys.replaceAll('$mod', mod))
    .map((press) => formatPress(press, apple))
    .join(' ');
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

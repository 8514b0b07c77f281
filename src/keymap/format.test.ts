import { expect, it } from 'vitest';

import { formatKeys } from './format.ts';

it.each([
  ['c w', 'c w', 'c w'],
  ['$mod+k', '⌘K', 'Ctrl K'],
  ['Shift+K', 'K', 'K'],
  ['G', 'G', 'G'],
  ['?', '?', '?'],
  ['Escape', 'esc', 'esc'],
  ['Enter', '⏎', '⏎'],
  ['Shift+ArrowDown', '⇧↓', 'Shift ↓'],
  ['$mod+Shift+z', '⌘⇧Z', 'Ctrl Shift Z'],
])('shows %s as %s on a Mac and as %s elsewhere', (keys, apple, elsewhere) => {
  expect(formatKeys(keys, true)).toBe(apple);
  expect(formatKeys(keys, false)).toBe(elsewhere);
});

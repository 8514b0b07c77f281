import { expect, test } from 'vitest';

import { formatKeys, toKeyHint } from './format.ts';

test.each([
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

test.each([
  ['t', { 'aria-keyshortcuts': 't' }],
  ['Shift+T', { 'aria-keyshortcuts': 'Shift+T' }],
  ['$mod+k', { 'aria-keyshortcuts': 'Control+k' }],
  ['+', { 'aria-keyshortcuts': 'Plus' }],
  [['j', 'ArrowDown'], { 'aria-keyshortcuts': 'j ArrowDown' }],
  ['g d', { 'aria-description': 'g d' }],
  [['g g', 'Home'], { 'aria-description': 'g g  home' }],
])('announces %j as a shortcut, or as a description if it is a sequence', (keys, attributes) => {
  expect(toKeyHint(keys, false).attributes).toEqual(attributes);
});

import { expect, test, vi } from 'vitest';

import { createSelection } from './selection.ts';

test('selects individual rows and counts them', () => {
  const selection = createSelection();
  selection.toggle('a');
  selection.add(['b', 'c']);
  selection.toggle('b');
  expect(['a', 'b', 'c'].map(selection.has)).toEqual([true, false, true]);
  expect(selection.count(1000)).toBe(2);
});

test('represents all rows as a flag with exceptions', () => {
  const selection = createSelection();
  selection.toggle('a');
  selection.selectAll();
  expect(selection.state()).toEqual({ kind: 'all', except: new Set() });
  expect(selection.has('never loaded')).toBe(true);
  selection.toggle('b');
  selection.remove(['c', 'b']);
  expect(selection.count(12_480)).toBe(12_478);
  selection.add(['c']);
  expect(selection.state()).toEqual({ kind: 'all', except: new Set(['b']) });
});

test('never counts below zero if excluded rows disappear', () => {
  const selection = createSelection();
  selection.selectAll();
  selection.remove(['a', 'b', 'c']);
  expect(selection.count(2)).toBe(0);
});

test('can be replaced and cleared', () => {
  const selection = createSelection();
  selection.selectAll();
  selection.replace(['x', 'y']);
  expect(selection.state()).toEqual({ kind: 'ids', ids: new Set(['x', 'y']) });
  selection.clear();
  expect(selection.count(10)).toBe(0);
});

test('notifies listeners only of changes, each with a new state', () => {
  const selection = createSelection();
  const listener = vi.fn<() => void>();
  const stop = selection.subscribe(listener);
  const before = selection.state();
  selection.add(['a']);
  selection.add(['a']);
  selection.remove(['b']);
  expect(listener).toHaveBeenCalledOnce();
  expect(selection.state()).not.toBe(before);
  stop();
  selection.clear();
  expect(listener).toHaveBeenCalledOnce();
});

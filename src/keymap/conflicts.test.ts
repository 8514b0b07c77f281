import { expect, test } from 'vitest';

import { registry as fullRegistry } from '#commands/nouns/all.ts';
import { registry } from '#src/palette/testkit/registry.ts';

import { keysOf } from './bindings.ts';
import { findConflicts, isReserved, keepCustomKeys, unbindKeys } from './conflicts.ts';

const command = (id: string) => registry.command(id)!;
const keysWith = (id: string, overrides: Readonly<Record<string, readonly string[]>>) => keysOf(command(id), overrides);

test('a custom key wins over a newer default for another command', () => {
  const customKeys = { 'gadget.beep': ['m'], 'gadget.scrap': ['c'] };
  const keptKeys = keepCustomKeys(customKeys, registry);
  expect(keysWith('gadget.beep', keptKeys)).toEqual(['m']);
  expect(keysWith('gadget.mark', keptKeys)).toEqual([]);
  expect(keysWith('gadget.scrap', keptKeys)).toEqual(['c']);
  // `c` alone can never fire while `c g` exists.
  expect(keysWith('gadget.build', keptKeys)).toEqual([]);
});

test('leaves custom keys without a conflict unchanged', () => {
  const customKeys = { 'gadget.beep': ['z'], 'gadget.fly': ['m'] };
  expect(keepCustomKeys(customKeys, registry)).toBe(customKeys);
});

test('takes keys from other commands only if they clash', () => {
  const overrides = { 'gadget.mark': ['m', 'F8'] };
  const conflicts = findConflicts(command('gadget.beep'), 'm', registry, overrides);
  expect(conflicts.map(({ id }) => id)).toEqual(['gadget.mark']);
  expect(unbindKeys('m', conflicts, overrides)).toEqual({ 'gadget.mark': ['F8'] });
});

test.each(['$mod+t', '$mod+T', '$mod+Shift+T', 'Shift+$mod+t', 'g $mod+r', 'F5'])('the browser uses %s', (keys) => {
  expect(isReserved(keys)).toBe(true);
});

test.each([
  ['$mod+Shift+Y', 'Shift+$mod+y'],
  ['Shift+?', '?'],
  ['Shift+Z', 'Z n'],
])('%s conflicts with %s', (keys, sameKeys) => {
  const conflicts = findConflicts(command('gadget.beep'), keys, registry, { 'gadget.mark': [sameKeys] });
  expect(conflicts.map(({ id }) => id)).toContain('gadget.mark');
});

test('lets the table, the timeline, and the chart share keys', () => {
  const customKeys = { 'view.next-row': ['ArrowDown'], 'timeline.next-bar': ['ArrowRight', 'n'] };
  expect(keepCustomKeys(customKeys, fullRegistry)).toBe(customKeys);
  const nextRow = fullRegistry.command('view.next-row')!;
  expect(findConflicts(nextRow, 'l', fullRegistry).map(({ id }) => id)).toEqual(['device.set-lifecycle']);
});

test('finds no conflicts between default keys', () => {
  const clashes = fullRegistry.commands.flatMap((item) =>
    keysOf(item, {}).flatMap((keys) => findConflicts(item, keys, fullRegistry, {}).map(({ id }) => [item.id, id])),
  );
  expect(clashes).toEqual([]);
});

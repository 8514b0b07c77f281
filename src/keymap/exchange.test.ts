import { expect, test } from 'vitest';

import { registry } from '#src/palette/testkit/registry.ts';

import {
  addCustomKeys,
  printOverrides,
  problemOfText,
  readOverrides,
  removeCustomKeys,
  suggestCommands,
} from './exchange.ts';

const problem = (overrides: unknown): string | undefined =>
  problemOfText(typeof overrides === 'string' ? overrides : JSON.stringify(overrides), registry)?.key;

test('round-trips changed key bindings as text', () => {
  const overrides = { 'gadget.scrap': ['d d'], 'gadget.beep': [], 'gadget.build': ['$mod+Shift+b', 'F8'] };
  const text = printOverrides(overrides);
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['gadget.beep', 'gadget.build', 'gadget.scrap']);
  expect(readOverrides(text, registry)).toEqual(overrides);
  expect(readOverrides('{}', registry)).toEqual({});
});

test.each([
  ['empty text', '', 'app:keys.unreadable'],
  ['text that is not JSON', 'g d', 'app:keys.unreadable'],
  ['a list', ['m'], 'app:keys.unreadable'],
  ['keys that are not a list', { 'gadget.beep': 'm' }, 'app:keys.unreadable'],
  ['an unknown command', { 'gadget.fly': ['f'] }, 'app:keys.unknownCommand'],
  ['a modifier without a key', { 'gadget.beep': ['Ctrl+'] }, 'app:keys.noKeys'],
  ['an empty sequence', { 'gadget.beep': [''] }, 'app:keys.noKeys'],
  ['a sequence of five keys', { 'gadget.beep': ['n n n n n'] }, 'app:keys.tooLong'],
  ['an unknown modifier', { 'gadget.beep': ['Ctrl+b'] }, 'app:keys.noKeys'],
  ['a key that no keyboard has', { 'gadget.beep': ['Esc'] }, 'app:keys.noKeys'],
  ['a modifier as a key', { 'gadget.beep': ['Shift'] }, 'app:keys.noKeys'],
  ['a broken pattern of keys', { 'gadget.beep': ['([)'] }, 'app:keys.noKeys'],
  ['keys reserved by the browser', { 'gadget.beep': ['$mod+t'] }, 'app:keys.reserved'],
  ['the keys of another command', { 'gadget.beep': ['m'] }, 'app:keys.clash'],
  ["a prefix of another command's keys", { 'gadget.beep': ['c'] }, 'app:keys.clash'],
  ['the same keys for two commands', { 'gadget.beep': ['z'], 'gadget.build': ['z'] }, 'app:keys.clash'],
])('rejects %s', (_, overrides, key) => expect(problem(overrides)).toBe(key));

test('allows the name of every key that can be recorded', () => {
  for (const keys of ['F9 é', '+', '$mod++', 'Alt+Shift+Insert', 'Space', 'MediaPlayPause']) {
    expect(problem({ 'gadget.beep': [keys] })).toBeUndefined();
  }
});

test('allows keys that another command gives up in the same text', () => {
  expect(problem({ 'gadget.beep': ['m'], 'gadget.mark': ['n'] })).toBeUndefined();
});

const failure = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { userMessage: { key: string } }).userMessage.key;
  }
};

test('adds a key to a command, removes each, and round-trips a command without keys', () => {
  const added = addCustomKeys('gadget.beep', 'x z', registry, {});
  expect(added).toEqual({ 'gadget.beep': ['b e', 'x z'] });
  // A longer sequence than one that the command has would never fire.
  expect(addCustomKeys('gadget.beep', 'b', registry, added)).toEqual({ 'gadget.beep': ['x z', 'b'] });
  expect(removeCustomKeys('gadget.beep', 'x z', registry, added)).toEqual({});
  const none = removeCustomKeys('gadget.beep', 'b e', registry, {});
  expect(none).toEqual({ 'gadget.beep': [] });
  expect(readOverrides(printOverrides(none), registry)).toEqual(none);
  expect(suggestCommands(registry, added).find(({ value }) => value === 'gadget.beep')?.detail).toBe('b e, x z');
});

test.each([
  ['keys of another command', () => addCustomKeys('gadget.beep', 'm', registry, {}), 'app:keys.clash'],
  ['keys of the browser', () => addCustomKeys('gadget.beep', '$mod+t', registry, {}), 'app:keys.reserved'],
  ['an unknown command', () => addCustomKeys('gadget.fly', 'x', registry, {}), 'app:keys.noCommand'],
  ['a key that it lacks', () => removeCustomKeys('gadget.beep', 'q', registry, {}), 'app:keys.otherKeys'],
  ['no keys', () => removeCustomKeys('gadget.beep', 'q', registry, { 'gadget.beep': [] }), 'app:keys.hasNone'],
] as const)('refuses %s', (_, act, key) => expect(failure(act)).toBe(key));

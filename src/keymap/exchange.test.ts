import { expect, it } from 'vitest';

import { registry } from '#src/palette/testkit/registry.ts';
import { printOverrides, problemOfText, readOverrides } from './exchange.ts';

const problem = (overrides: unknown): string | undefined =>
  problemOfText(typeof overrides === 'string' ? overrides : JSON.stringify(overrides), registry)?.key;

it('writes changed keys as a text that reads as the same keys', () => {
  const overrides = { 'gadget.scrap': ['d d'], 'gadget.beep': [], 'gadget.build': ['$mod+Shift+b', 'F8'] };
  const text = printOverrides(overrides);
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['gadget.beep', 'gadget.build', 'gadget.scrap']);
  expect(readOverrides(text, registry)).toEqual(overrides);
  expect(readOverrides('{}', registry)).toEqual({});
});

it.each([
  ['no text at all', '', 'app:keys.unreadable'],
  ['something else', 'g d', 'app:keys.unreadable'],
  ['a list', ['m'], 'app:keys.unreadable'],
  ['keys that are no list', { 'gadget.beep': 'm' }, 'app:keys.unreadable'],
  ['a command that there is not', { 'gadget.fly': ['f'] }, 'app:keys.unknownCommand'],
  ['no keys', { 'gadget.beep': ['Ctrl+'] }, 'app:keys.noKeys'],
  ['an empty sequence', { 'gadget.beep': [''] }, 'app:keys.noKeys'],
  ['a modifier of no keyboard', { 'gadget.beep': ['Ctrl+b'] }, 'app:keys.noKeys'],
  ['keys of the browser', { 'gadget.beep': ['$mod+t'] }, 'app:keys.reserved'],
  ['keys that another command has', { 'gadget.beep': ['m'] }, 'app:keys.clash'],
  ['keys that begin those of another', { 'gadget.beep': ['c'] }, 'app:keys.clash'],
  ['one sequence for two', { 'gadget.beep': ['z'], 'gadget.build': ['z'] }, 'app:keys.clash'],
])('refuses %s', (_, overrides, key) => expect(problem(overrides)).toBe(key));

it('takes keys that their command gives up in the same text', () => {
  expect(problem({ 'gadget.beep': ['m'], 'gadget.mark': ['n'] })).toBeUndefined();
});

import { expect, test } from 'vitest';

import { CommandError } from '../core/errors.ts';
import { testContext } from '../testing/context.ts';
import { gadget } from '../testing/gadget.ts';
import { compileText } from './compile.ts';
import { chips, cycleSort, removeChip, toggleValue } from './edit.ts';

test('each piece of the line is a chip with its place, the wrong ones with what is wrong', () => {
  const text = 'state:ERROR  pump sort:name helth:OK';
  expect(chips(text, gadget).map(({ text: each, kind }) => [each, kind])).toEqual([
    ['state:ERROR', 'term'],
    ['pump', 'word'],
    ['sort:name', 'sort'],
    ['helth:OK', 'problem'],
  ]);
  expect(chips(text, gadget).at(-1)?.problem?.key).toBe('core:query.key');
});

test('a chip goes without leaving a gap', () => {
  const text = 'state:ERROR  pump sort:name';
  const [first, second, third] = chips(text, gadget);
  expect(removeChip(text, first!)).toEqual({ text: 'pump sort:name', cursor: 0 });
  expect(removeChip(text, second!)).toEqual({ text: 'state:ERROR sort:name', cursor: 12 });
  expect(removeChip(text, third!)).toEqual({ text: 'state:ERROR  pump', cursor: 17 });
});

test('values and sorts are toggled into canonical text', () => {
  expect(toggleValue('pump', gadget, 'state', 'ERROR')).toBe('state:ERROR pump');
  expect(toggleValue('state:ERROR pump', gadget, 'state', 'OK')).toBe('state:ERROR,OK pump');
  expect(toggleValue('state:ERROR pump', gadget, 'state', 'ERROR')).toBe('pump');
  expect(cycleSort('sort:inactivity', gadget, 'name')).toBe('sort:name');
  expect(cycleSort('sort:name', gadget, 'name')).toBe('sort:-name');
  expect(cycleSort('sort:-name', gadget, 'name')).toBe('');
  expect(cycleSort('sort:inactivity', gadget, 'name', true)).toBe('sort:inactivity,name');
});

test('a filter compiles to the selection; a view stands for its terms, one sort before its own', async () => {
  const compiled = await compileText(gadget, 'view:broken sort:inactivity pump', testContext());
  expect(compiled).toEqual({
    selection: { terms: [{ key: 'state', negated: false, test: { values: ['ERROR'] } }], search: 'pump' },
    sort: ['inactivity', '-name'],
  });
  await expect(compileText(gadget, 'pump helth:OK', testContext())).rejects.toThrow(CommandError);
});

import { expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';

import { chips } from './chips.ts';
import { compileText } from './compile.ts';
import { canonicalText, cycleSort, onlyIds, sortOf, withoutIds, withSort } from './edit.ts';
import { parseFilter } from './parse.ts';

test('creates a chip with its position for each part, and a problem for each invalid part', () => {
  const text = 'state:ERROR  pump sort:name helth:LOW';
  expect(chips(parseFilter(text, gadget)).map(({ text: chipText, kind }) => [chipText, kind])).toEqual([
    ['state:ERROR', 'term'],
    ['pump', 'word'],
    ['sort:name', 'sort'],
    ['helth:LOW', 'problem'],
  ]);
  expect(chips(parseFilter(text, gadget)).at(-1)?.problem?.key).toBe('core:query.key');
  expect(chips(parseFilter(text, gadget))[1]).toEqual({ from: 13, to: 17, text: 'pump', kind: 'word' });
  expect(chips(parseFilter('group:state', gadget)).map(({ kind }) => kind)).toEqual(['group']);
});

test('cycles through the sorts of a column and returns canonical text', () => {
  expect(cycleSort(parseFilter('sort:inactivity', gadget), 'name')).toBe('sort:name');
  expect(cycleSort(parseFilter('sort:name', gadget), 'name')).toBe('sort:-name');
  expect(cycleSort(parseFilter('sort:-name', gadget), 'name')).toBe('');
  expect(cycleSort(parseFilter('sort:inactivity', gadget), 'name', true)).toBe('sort:inactivity,name');
  expect(cycleSort(parseFilter('sort:name,inactivity', gadget), 'name', true)).toBe('sort:-name,inactivity');
  expect(cycleSort(parseFilter('sort:inactivity,-name', gadget), 'name', true)).toBe('sort:inactivity');
});

test('shows the default sort and reverses it on click', () => {
  const sorted = { ...gadget, defaultSort: 'name' };
  expect(sortOf(parseFilter('pump', sorted))).toEqual([{ name: 'name', descending: false }]);
  expect(sortOf(parseFilter('sort:-inactivity', sorted))).toEqual([{ name: 'inactivity', descending: true }]);
  expect(sortOf(parseFilter('pump', gadget))).toEqual([]);
  expect(cycleSort(parseFilter('', sorted), 'name')).toBe('sort:-name');
  expect(cycleSort(parseFilter('', sorted), 'inactivity')).toBe('sort:inactivity');
});

test('reads and replaces the sort and keeps the text canonical', () => {
  expect(sortOf(parseFilter('pump sort:-name,inactivity', gadget))).toEqual([
    { name: 'name', descending: true },
    { name: 'inactivity', descending: false },
  ]);
  expect(withSort(parseFilter('sort:name pump', gadget), ['-inactivity'])).toBe('sort:-inactivity pump');
  expect(canonicalText(parseFilter('pump helth:LOW state:ok', gadget))).toBe('state:OK pump');
});

test('excludes ids in addition to those already excluded', () => {
  const filter = { ...gadget.filter, number: { ...gadget.filter['tag']!, kind: 'text' } };
  const entity = { ...gadget, idKey: 'number', filter } as AnyEntity;
  expect(withoutIds(parseFilter('pump', entity), ['A'])).toBe('-number:A pump');
  expect(withoutIds(parseFilter('-number:A number:B -number:* -state:OK', entity), ['C'])).toBe(
    'number:B -number:* -number:A,C -state:OK',
  );
  expect(withoutIds(parseFilter('-state:OK -volts:1', { ...entity, idKey: 'volts' }), ['2'])).toBe(
    '-state:OK -volts:1,2',
  );
  expect(withoutIds(parseFilter('state:ok', entity), [])).toBe('state:OK');
  expect(withoutIds(parseFilter('state:ok', gadget), ['A'])).toBe('state:OK');
});

test('filters by the selected ids and keeps the sort', () => {
  const entity = { ...gadget, idKey: 'tag' };
  expect(onlyIds(parseFilter('state:ERROR sort:-inactivity pump', entity), ['B B', 'AA'])).toBe(
    'tag:AA,"B B" sort:-inactivity',
  );
  expect(onlyIds(parseFilter('', gadget), ['1'])).toBeUndefined();
});

test("includes a view's words and falls back to the entity's sort", async () => {
  const views = [{ id: 'pumps', filter: 'pump state:ERROR' }];
  const sorted = { ...gadget, views, defaultSort: 'name' };
  const compiledFilter = await compileText(sorted, 'view:pumps north', testContext());
  expect(compiledFilter.selection.search?.split(' ').toSorted()).toEqual(['north', 'pump']);
  expect(compiledFilter.sort).toEqual(['name']);
  expect((await compileText(sorted, 'sort:-inactivity', testContext())).sort).toEqual(['-inactivity']);
  expect((await compileText(gadget, '', testContext())).sort).toEqual([]);
});

test("compiles a filter with a view and puts the view's sort last", async () => {
  const compiledFilter = await compileText(gadget, 'view:broken sort:inactivity pump', testContext());
  expect(compiledFilter).toEqual({
    selection: {
      terms: [{ key: 'state', negated: false, test: { values: ['ERROR'] } }],
      states: ['ERROR'],
      search: 'pump',
    },
    sort: ['inactivity', '-name'],
  });
  await expect(compileText(gadget, 'pump helth:LOW', testContext())).rejects.toThrow(CommandError);
});

test('keeps other terms next to a view and allows an entity key named view', async () => {
  const compile = async (text: string, entity: AnyEntity = gadget) =>
    (
      (await compileText(entity, text, testContext())).selection as { terms: { key: string; test: object }[] }
    ).terms.map(({ key, test: { ...values } }) => [key, values]);
  expect(await compile('view:broken tag:North')).toEqual([
    ['state', { values: ['ERROR'] }],
    ['tag', { values: ['North'] }],
  ]);
  expect(await compile('tag:broken')).toEqual([['tag', { values: ['broken'] }]]);
  const withViewKey = { ...gadget, filter: { ...gadget.filter, view: gadget.filter['tag']! } } as AnyEntity;
  expect(await compile('view:broken', withViewKey)).toEqual([['view', { values: ['broken'] }]]);
});

test('omits the search if the filter has no words', async () => {
  const { selection } = await compileText(gadget, 'state:OK', testContext());
  expect(selection).not.toHaveProperty('search');
});

import { expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { gadget } from '#commands/testkit/gadget.ts';

import { isFilter, parseFilter } from './parse.ts';
import { printFilter } from './print.ts';
import { matchOption } from './values.ts';

const print = (text: string): string => printFilter(parseFilter(text, gadget).filter);
const problem = (text: string) => {
  const [first] = parseFilter(text, gadget).problems;
  return first && { part: text.slice(first.from, first.to), key: first.message.key, values: first.message.values };
};

test('normalizes equivalent filters to the same text', () => {
  const text =
    'tag:"North field" -state:error  seen>2D state:warning,Error state:ERROR,WARNING pump sort:-Inactivity,name';
  expect(print(text)).toBe('seen>2d state:ERROR,WARNING -state:ERROR tag:"North field" sort:-inactivity,name pump');
  expect(print('state:not-seen volts:1.50..20 online:YES')).toBe('online:true state:NOT_SEEN volts:1.5..20');
  expect(print('tag:* -tag:"*" firmware:1.4.*')).toBe('firmware:1.4.* tag:* -tag:"*"');
  expect(print('seen:"Last  Month" group:state')).toBe('seen:"last month" group:state');
  expect(print('*')).toBe('');
});

test('keeps the valid part of incomplete text and reports the invalid part', () => {
  expect(print('state:ERROR, hea')).toBe('state:ERROR hea');
  expect(problem('pump state:')).toMatchObject({ part: 'state:', key: 'core:query.empty', values: { position: 6 } });
  expect(problem('pump seen >')).toMatchObject({ part: 'seen >', key: 'core:query.empty' });
  expect(problem('tag:"North')).toMatchObject({ part: 'tag:"North', key: 'core:query.quote' });
  expect(print('state:OK tag:"North')).toBe('state:OK');
});

test('limits the total search length to what the server accepts', () => {
  const tooLong = { key: 'core:query.tooLong', values: { max: 500 } };
  expect(problem('x'.repeat(500))).toBeUndefined();
  expect(problem('x'.repeat(501))).toMatchObject(tooLong);
  expect(problem(`pump ${'x'.repeat(495)}`)).toBeUndefined();
  expect(problem(`pump ${'x'.repeat(496)} well`)).toMatchObject({ ...tooLong, part: 'x'.repeat(496) });
});

test('explains an invalid term and lists the valid keys or values', () => {
  expect(problem('helth:LOW')).toEqual({
    part: 'helth:LOW',
    key: 'core:query.key',
    values: {
      key: 'helth',
      position: 1,
      entity: { key: 'gadget:many' },
      keys: 'state, tag, firmware, seen, volts, online, sort, group, view',
    },
  });
  expect(problem('state:BROKEN')?.values).toMatchObject({ value: 'BROKEN', options: 'OK, WARNING, ERROR, NOT_SEEN' });
  expect(problem('pump -well')).toMatchObject({ part: '-well', key: 'core:query.negatedWord' });
  expect(problem('-firmware:1.4')?.key).toBe('core:query.negates');
  expect(problem('state>OK')?.key).toBe('core:query.ranges');
  expect(problem('state:*')?.key).toBe('core:query.presence');
  expect(problem('volts>high')?.key).toBe('core:query.number');
  expect(problem('seen>whenever')?.key).toBe('core:query.time');
  expect(problem('sort:color')?.key).toBe('core:query.sort');
  expect(problem('group:state group:state')?.key).toBe('core:query.groupTwice');
  expect(problem('volts:1..2..3')?.key).toBe('core:query.form');
});

const position = { position: 6 };

test('reports each problem with its position and a correction', () => {
  const values = (text: string, entity = gadget as AnyEntity) =>
    parseFilter(text, entity).problems.map(({ message }) => [message.key.replace('core:query.', ''), message.values]);
  expect(values('pump tag:"x')).toEqual([['quote', position]]);
  expect(values('pump -well')).toEqual([['negatedWord', { word: 'well', ...position }]]);
  expect(values('pump helth:x')).toMatchObject([['key', { key: 'helth', ...position }]]);
  expect(values('pump SORT:')).toEqual([['empty', { key: 'sort', ...position }]]);
  expect(values('pump -sort:name')).toEqual([['sortNegated', { fix: 'sort:-name', ...position }]]);
  expect(values('pump -sort:-name,inactivity')).toEqual([
    ['sortNegated', { fix: 'sort:name,-inactivity', ...position }],
  ]);
  expect(parseFilter('pump -sort:name', gadget as AnyEntity).problems[0]?.fixes).toEqual(['sort:-name']);
  expect(values('pump -view:broken')).toEqual([['form', { key: 'view', ...position }]]);
  expect(values('pump sort>name')).toEqual([['form', { key: 'sort', ...position }]]);
  expect(values('pump sort:name..name')).toEqual([['form', { key: 'sort', ...position }]]);
  expect(values('pump view:x')).toEqual([['option', { key: 'view', value: 'x', ...position, options: 'broken' }]]);
  expect(values('pump group:state,state')).toEqual([
    ['option', { key: 'group', value: 'state, state', ...position, options: 'state' }],
  ]);
  expect(values('pump sort:x')).toEqual([['sort', { value: 'x', ...position, options: 'name, inactivity' }]]);
  expect(values('pump -firmware:1')).toEqual([['negates', { key: 'firmware', ...position }]]);
  expect(values('pump state>OK')).toEqual([['ranges', { key: 'state', ...position }]]);
  expect(values('pump state:OK..OK')).toEqual([['ranges', { key: 'state', ...position }]]);
  expect(values('pump volts:1..2,3')).toEqual([['form', { key: 'volts', ...position }]]);
  expect(values('pump state:*')).toEqual([['presence', { key: 'state', ...position }]]);
  expect(values('pump OR well')).toEqual([['or', position]]);
  expect(values('pump tag:x*')).toEqual([['star', { key: 'tag', value: 'x*', ...position }]]);
  expect(values('pump state:X')).toMatchObject([['option', { key: 'state', value: 'X', ...position }]]);
  expect(values('pump group:state group:state')).toEqual([['groupTwice', { position: 18 }]]);
  const { applySearch: _, ...withoutSearch } = gadget;
  expect(values('pump', { ...withoutSearch, groups: [], views: [], sorts: [] })).toEqual([
    [
      'noSearch',
      { word: 'pump', entity: { key: 'gadget:many' }, position: 1, keys: 'state, tag, firmware, seen, volts, online' },
    ],
  ]);
});

test('reads quoted and plain words and ignores a lone star', () => {
  expect(parseFilter('"*" * "" North "a*b"', gadget).filter.words).toEqual(['*', '', 'North', 'a*b']);
  expect(parseFilter('- -"*"', gadget).problems.map(({ message }) => message.values)).toEqual([
    { word: '*', position: 3 },
  ]);
  expect(parseFilter('-', gadget).filter.words).toEqual(['-']);
});

test('rejects empty values and ignores empty list items', () => {
  expect(problem('tag:""')?.key).toBe('core:query.empty');
  expect(problem('tag:,')?.key).toBe('core:query.empty');
  expect(problem('tag:a,""')?.key).toBe('core:query.empty');
  expect(problem('group:""')?.key).toBe('core:query.option');
  expect(print('sort:,name,')).toBe('sort:name');
  expect(print('tag:,a,')).toBe('tag:a');
});

test('reads ranges with one open bound', () => {
  expect(print('volts:..5 seen:2d..')).toBe('seen>2d volts<5');
  expect(print('volts>5 volts<7')).toBe('volts<7 volts>5');
  expect(print('-volts:1..2')).toBe('-volts:1..2');
});

test('reads a star as any value, and a quoted star as text', () => {
  expect(print('tag:*,a')).toBe('tag:*');
  expect(parseFilter('tag:"*",a', gadget).filter.terms).toEqual([
    { key: 'tag', negated: false, test: { values: ['*', 'a'] } },
  ]);
  expect(parseFilter('tag:*', gadget).filter.terms).toEqual([{ key: 'tag', negated: false, test: { present: true } }]);
});

test('rejects a sort in an unsupported direction', () => {
  const sorts = ['name', '-seen'];
  expect(parseFilter('sort:-name', { ...gadget, sorts }).filter.sort).toEqual(['-name']);
  expect(parseFilter('sort:-seen', { ...gadget, sorts }).problems).toHaveLength(1);
});

test('accepts aliases of a key', () => {
  const entity = {
    ...gadget,
    filter: { ...gadget.filter, state: { ...gadget.filter['state']!, aliases: ['status'] } },
  };
  expect(printFilter(parseFilter('Status:OK', entity as AnyEntity).filter)).toBe('state:OK');
});

test('accepts aliases of a sort, including reversed ones', () => {
  const entity = { ...gadget, sortAliases: { title: 'name', idle: '-inactivity' } };
  const sortsOf = (text: string) => parseFilter(text, entity).filter.sort;
  expect(sortsOf('sort:Title,idle')).toEqual(['name', '-inactivity']);
  expect(sortsOf('sort:-title,-idle')).toEqual(['-name', 'inactivity']);
  expect(parseFilter('sort:--seen', { ...gadget, sorts: ['name', '-seen'] }).problems).toHaveLength(1);
});

test.each([
  ['pump', false],
  ['"pu*"', false],
  ['pump (old)', false],
  ['(state:OK)', true],
  ['pump OR well', true],
  ['state:OK', true],
  ['-pump', true],
  ['pu*', true],
  ['"pump', true],
])('recognizes whether %s can only be a filter: %s', (text, expected) => {
  expect(isFilter(text, gadget)).toBe(expected);
});

test.each<[string, AnyEntity, string]>([
  ['title:pump', gadget, 'core:query.keySearched'],
  ['TITLE:pump', gadget, 'core:query.keySearched'],
  ['title:pump,well', gadget, 'core:query.key'],
  ['-title:pump', gadget, 'core:query.key'],
  ['title>2', gadget, 'core:query.key'],
  ['title:pump', { ...gadget, applySearch: undefined }, 'core:query.key'],
  ['NAME>2', gadget, 'core:query.keyColumn'],
])('rejects the key in %s', (text, entity, key) => {
  expect(parseFilter(text, entity).problems.map(({ message }) => message.key)).toEqual([key]);
});

test.each([
  ['online:on,1,TRUE,yes', 'online:true'],
  ['online:off,0,False,NO', 'online:false'],
  ['state:OK,ok', 'state:OK'],
  ['state:"not seen"', 'state:NOT_SEEN'],
  ['volts:1e1', 'volts:10'],
])('parses %s as %s', (typed, text) => {
  expect([print(typed), parseFilter(typed, gadget).problems]).toEqual([text, []]);
});

test.each([
  ['online:maybe', 'core:query.flag', 'maybe'],
  ['volts:" "', 'core:query.number', ' '],
  ['volts:Infinity', 'core:query.number', 'Infinity'],
  ['seen:soon', 'core:query.time', 'soon'],
])('rejects %s with %s', (typed, key, value) => {
  const name = typed.split(':')[0];
  expect(problem(typed)).toEqual({ part: typed, key, values: { key: name, value, position: 1 } });
});

test('prefers an exact option to a similar one', () => {
  const options = ['not_seen', 'NOT_SEEN'];
  expect([matchOption('NOT_SEEN', options), matchOption('Not-Seen', options)]).toEqual(['NOT_SEEN', 'not_seen']);
});

test('normalizes the values of a key with a canonical form', () => {
  const canonical = (text: string) => text.toUpperCase();
  const filter = {
    free: { kind: 'choice', canonical, apply: () => undefined },
    text: { kind: 'text', canonical, apply: () => undefined },
    plain: { kind: 'choice', apply: () => undefined },
  };
  const entity = { ...gadget, filter } as unknown as AnyEntity;
  expect(printFilter(parseFilter('free:a text:b plain:c', entity).filter)).toBe('free:A plain:c text:B');
});

test('quotes a word that starts with a comma', () => {
  expect(print(',+ tag:North')).toBe('tag:North ",+"');
  expect(print(print(',+ tag:North'))).toBe('tag:North ",+"');
});

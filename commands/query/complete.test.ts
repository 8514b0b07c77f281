import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { complete } from './complete.ts';

/** Completes at the `|` of a text; answers the whole text for each suggestion. */
async function at(marked: string, entity: AnyEntity = gadget): Promise<string[]> {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, suggestions } = await complete(text, cursor, entity, testContext());
  return suggestions.map(({ value }) => text.slice(0, from) + value + text.slice(to));
}

test('keys first', async () => {
  expect(await at('s|')).toEqual(['state:', 'seen:', 'sort:', 'volts:']);
  expect(await at('state:OK |')).toContain('state:OK online:');
  expect(await at('-s|')).toEqual(['-state:', '-volts:']);
  expect(await at('se|>2d pump')).toEqual(['seen:2d pump']);
});

test('then values, with counts where the entity has them', async () => {
  const { suggestions } = await complete('state:', 6, gadget, testContext());
  expect(suggestions.map(({ label, count }) => [label, count])).toEqual([
    ['ERROR', 2],
    ['OK', 1],
  ]);
  expect(await at('state:OK,|')).toEqual(['state:OK,ERROR']);
  expect(await at('tag:|')).toContain('tag:*');
  expect(await at('tag:nor|')).toEqual(['tag:"North pump"']);
  expect(await at('seen>last|')).toContain('seen>"last month"');
  expect(await at('online:|')).toEqual(['online:true', 'online:false']);
});

test('sort keys both ways, and views', async () => {
  expect(await at('sort:-in|')).toEqual(['sort:-inactivity']);
  expect(await at('sort:name,|')).toEqual(['sort:name,-name', 'sort:name,inactivity', 'sort:name,-inactivity']);
  expect(await at('view:|')).toEqual(['view:broken']);
});

const keys = ['state:', 'tag:', 'firmware:', 'seen:', 'volts:', 'online:', 'sort:', 'group:', 'view:'];

test('every key is offered where a term could begin, in front of what stands there', async () => {
  expect(await at('|')).toEqual(keys);
  expect(await at('|pump')).toEqual(keys.map((key) => `${key}pump`));
  expect(await at('pump | well')).toEqual(keys.map((key) => `pump ${key} well`));
});

test('a key is completed up to the cursor and replaced as a whole', async () => {
  expect(await at('pump st|xx well')).toEqual(['pump state: well']);
  expect(await at('-st|xx')).toEqual(['-state:']);
  expect(await at('sta|te:OK')).toEqual(['state:OK']);
});

test('a key says what it is about, those that every entity has need not', async () => {
  const { suggestions } = await complete('s', 1, gadget, testContext());
  expect(suggestions.map(({ label, about }) => [label, about?.key])).toEqual([
    ['state', 'gadget:filter.state'],
    ['seen', 'gadget:filter.seen'],
    ['sort', undefined],
    ['volts', 'gadget:filter.volts'],
  ]);
});

test('values and sorts say how they read elsewhere', async () => {
  const about = async (text: string, state: Partial<FilterKey<unknown>>) => {
    const of = {
      ...gadget,
      filter: { state: { ...gadget.filter['state']!, suggest: undefined, ...state } },
    } as AnyEntity;
    const { suggestions } = await complete(text, text.length, of, testContext());
    return suggestions.map((suggestion) => suggestion.about?.key);
  };
  const label = (value: string) => message(`gadget:state.${value}`);
  expect(await about('state:W', { label })).toEqual(['gadget:state.WARNING']);
  const own = { value: 'WARNING', label: 'WARNING', message: message('gadget:own') };
  expect(await about('state:W', { label, suggest: async () => [own] })).toEqual(['gadget:own']);
  expect(await about('state:W', {})).toEqual([undefined]);
  expect(await about('sort:name', {})).toEqual(['core:sort.ascending', 'core:sort.descending']);
});

test('only the value at the cursor is replaced, and what is given already is not offered', async () => {
  expect(await at('STATE:|')).toEqual(['STATE:ERROR', 'STATE:OK']);
  expect(await at('state:e|,OK pump')).toEqual(['state:ERROR,OK pump']);
  expect(await at('state:ok,|,x')).toEqual(['state:ok,ERROR,x']);
  expect(await at('state:OK|')).toEqual(['state:OK']);
  expect(await at('state:|OK')).toEqual(['state:OK']);
});

test('what cannot be counted is not offered, and an error of the server is passed on', async () => {
  const of = { ...gadget, filter: { online: gadget.filter['online']! } } as AnyEntity;
  const refusing = (reason: Error): AnyEntity => ({ ...of, list: () => Promise.reject(reason) });
  expect(await at('online:|', refusing(new CommandError(message('gadget:refused'))))).toEqual([]);
  await expect(at('online:|', refusing(new ConnectError('away', Code.Unavailable)))).rejects.toThrow('away');
});

test('any value at all is offered only where it could stand alone', async () => {
  expect((await at('tag:|'))[0]).toBe('tag:*');
  for (const text of ['tag:n|', 'tag:a,|', 'tag>|', 'state:|']) expect((await at(text)).join(' ')).not.toContain('*');
});

test('times, options and flags come from what the key declares, and a key of free text has none', async () => {
  expect(await at('seen>|')).toEqual(expect.arrayContaining(['seen>1h', 'seen>1d', 'seen>7d', 'seen>30d', 'seen>now']));
  expect(await at('seen>1|')).toEqual(['seen>1h', 'seen>1d']);
  expect(await at('online:f|')).toEqual(['online:false']);
  expect(await at('firmware:|')).toEqual([]);
  const plain = { ...gadget, filter: { state: { ...gadget.filter['state']!, suggest: undefined } } } as AnyEntity;
  expect(await at('state:n|', plain)).toEqual(['state:NOT_SEEN', 'state:WARNING']);
});

test('what starts as typed comes before what only contains it, in its label or its value', async () => {
  const values: Readonly<Record<string, string>> = { y: 'AB', xab: 'z' };
  const suggest = async () => ['xab', 'abx', 'y'].map((label) => ({ value: values[label] ?? label, label }));
  const of = { ...gadget, filter: { state: { ...gadget.filter['state']!, options: undefined, suggest } } } as AnyEntity;
  expect(await at('state:AB|', of)).toEqual(['state:abx', 'state:z', 'state:AB']);
});

test('no more than fifty are offered, and no more are looked for', async () => {
  const suggest = async () => Array.from({ length: 60 }, (_, index) => ({ value: `v${index}`, label: `v${index}` }));
  const limits: number[] = [];
  const search = async (_: unknown, __: string, limit: number) => {
    limits.push(limit);
    return [];
  };
  const named = { ...gadget, search };
  const filter = {
    state: { ...gadget.filter['state']!, options: undefined, suggest },
    tag: { ...gadget.filter['tag']!, entity: () => named },
  };
  const of = { ...gadget, filter } as AnyEntity;
  expect(await at('state:|', of)).toHaveLength(50);
  expect([await at('tag:|', of), limits]).toEqual([['tag:*'], [50]]);
});

test('sorts, groups and views are those of the entity', async () => {
  expect(await at('group:|')).toEqual(['group:state']);
  expect(await at('sort:|', { ...gadget, sorts: ['name', '-seen'] })).toEqual(['sort:name', 'sort:-name']);
  const { suggestions } = await complete('view:', 5, gadget, testContext());
  expect(suggestions).toEqual([{ value: 'broken', label: 'broken', about: { key: 'gadget:views.broken' }, count: 2 }]);
  const bare = { ...gadget, groups: undefined, views: undefined } as AnyEntity;
  expect([await at('group:|', bare), await at('view:|', bare), await at('helth:|')]).toEqual([[], [], []]);
});

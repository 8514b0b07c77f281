import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { complete } from './complete.ts';

/** Completes the text at the `|` and returns the resulting text for each suggestion. */
async function completionsAt(marked: string, entity: AnyEntity = gadget): Promise<string[]> {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, suggestions } = await complete(text, cursor, entity, testContext());
  return suggestions.map(({ value }) => text.slice(0, from) + value + text.slice(to));
}

test('completes keys first', async () => {
  expect(await completionsAt('s|')).toEqual(['state:', 'seen:', 'sort:', 'volts:']);
  expect(await completionsAt('state:OK |')).toContain('state:OK online:');
  expect(await completionsAt('-s|')).toEqual(['-state:', '-volts:']);
  expect(await completionsAt('se|>2d pump')).toEqual(['seen:2d pump']);
});

test('completes values, with counts if the entity provides them', async () => {
  const { suggestions } = await complete('state:', 6, gadget, testContext());
  expect(suggestions.map(({ label, count }) => [label, count])).toEqual([
    ['ERROR', 2],
    ['OK', 1],
  ]);
  expect(await completionsAt('state:OK,|')).toEqual(['state:OK,ERROR']);
  expect(await completionsAt('tag:|')).toContain('tag:*');
  expect(await completionsAt('tag:nor|')).toEqual(['tag:"North pump"']);
  expect(await completionsAt('seen>last|')).toContain('seen>"last month"');
  expect(await completionsAt('online:|')).toEqual(['online:true', 'online:false']);
});

test('completes sorts in both directions and views', async () => {
  expect(await completionsAt('sort:-in|')).toEqual(['sort:-inactivity']);
  expect(await completionsAt('sort:name,|')).toEqual([
    'sort:name,-name',
    'sort:name,inactivity',
    'sort:name,-inactivity',
  ]);
  expect(await completionsAt('view:|')).toEqual(['view:broken']);
});

const keys = ['state:', 'tag:', 'firmware:', 'seen:', 'volts:', 'online:', 'sort:', 'group:', 'view:'];

test('offers every key where a term can start, before existing text', async () => {
  expect(await completionsAt('|')).toEqual(keys);
  expect(await completionsAt('|pump')).toEqual(keys.map((key) => `${key}pump`));
  expect(await completionsAt('pump | well')).toEqual(keys.map((key) => `pump ${key} well`));
});

test('completes the part of a key before the cursor and replaces the whole key', async () => {
  expect(await completionsAt('pump st|xx well')).toEqual(['pump state: well']);
  expect(await completionsAt('-st|xx')).toEqual(['-state:']);
  expect(await completionsAt('sta|te:OK')).toEqual(['state:OK']);
});

test("describes the entity's own keys", async () => {
  const { suggestions } = await complete('s', 1, gadget, testContext());
  expect(suggestions.map(({ label, about }) => [label, about?.key])).toEqual([
    ['state', 'gadget:filter.state'],
    ['seen', 'gadget:filter.seen'],
    ['sort', undefined],
    ['volts', 'gadget:filter.volts'],
  ]);
});

test('describes values and sorts by their labels', async () => {
  const describeSuggestions = async (text: string, state: Partial<FilterKey<unknown>>) => {
    const entity = {
      ...gadget,
      filter: { state: { ...gadget.filter['state']!, suggest: undefined, ...state } },
    } as AnyEntity;
    const { suggestions } = await complete(text, text.length, entity, testContext());
    return suggestions.map((suggestion) => suggestion.about?.key);
  };
  const label = (value: string) => message(`gadget:state.${value}`);
  expect(await describeSuggestions('state:W', { label })).toEqual(['gadget:state.WARNING']);
  const withMessage = { value: 'WARNING', label: 'WARNING', message: message('gadget:own') };
  expect(await describeSuggestions('state:W', { label, suggest: async () => [withMessage] })).toEqual(['gadget:own']);
  expect(await describeSuggestions('state:W', {})).toEqual([undefined]);
  expect(await describeSuggestions('sort:name', {})).toEqual(['core:sort.ascending', 'core:sort.descending']);
});

test('replaces only the value at the cursor and omits values already typed', async () => {
  expect(await completionsAt('STATE:|')).toEqual(['STATE:ERROR', 'STATE:OK']);
  expect(await completionsAt('state:e|,OK pump')).toEqual(['state:ERROR,OK pump']);
  expect(await completionsAt('state:ok,|,x')).toEqual(['state:ok,ERROR,x']);
  expect(await completionsAt('state:OK|')).toEqual(['state:OK']);
  expect(await completionsAt('state:|OK')).toEqual(['state:OK']);
});

test("omits values that the contract can't count, and rethrows server errors", async () => {
  const entity = { ...gadget, filter: { online: gadget.filter['online']! } } as AnyEntity;
  const rejectingEntity = (reason: Error): AnyEntity => ({ ...entity, list: () => Promise.reject(reason) });
  expect(await completionsAt('online:|', rejectingEntity(new CommandError(message('gadget:rejected'))))).toEqual([]);
  await expect(
    completionsAt('online:|', rejectingEntity(new ConnectError('unreachable', Code.Unavailable))),
  ).rejects.toThrow('unreachable');
});

test('offers a star only if it can be the only value', async () => {
  expect((await completionsAt('tag:|'))[0]).toBe('tag:*');
  for (const text of ['tag:n|', 'tag:a,|', 'tag>|', 'state:|'])
    expect((await completionsAt(text)).join(' ')).not.toContain('*');
});

test('offers the times, options, and flags that a key declares, and nothing for free text', async () => {
  expect(await completionsAt('seen>|')).toEqual(
    expect.arrayContaining(['seen>1h', 'seen>1d', 'seen>7d', 'seen>30d', 'seen>now']),
  );
  expect((await completionsAt('seen>1|')).slice(0, 2)).toEqual(['seen>1h', 'seen>1d']);
  expect(await completionsAt('online:f|')).toEqual(['online:false']);
  expect(await completionsAt('firmware:|')).toEqual([]);
  const withoutSuggestions = {
    ...gadget,
    filter: { state: { ...gadget.filter['state']!, suggest: undefined } },
  } as AnyEntity;
  expect(await completionsAt('state:n|', withoutSuggestions)).toEqual(['state:NOT_SEEN', 'state:WARNING']);
});

test('says that days and times of day are in UTC, and shows how to write them', async () => {
  const { suggestions } = await complete('seen:', 5, gadget, testContext());
  const utcValues = suggestions.filter(({ about }) => about?.key === 'core:query.utc').map(({ value }) => value);
  expect(utcValues).toEqual(expect.arrayContaining(['today', '2026-03-11', '2026-03-11T12:00']));
  expect(utcValues).not.toContain('1d');
});

test('ranks prefix matches before other matches, in label or value', async () => {
  const values: Readonly<Record<string, string>> = { y: 'AB', xab: 'z' };
  const suggest = async () => ['xab', 'abx', 'y'].map((label) => ({ value: values[label] ?? label, label }));
  const entity = {
    ...gadget,
    filter: { state: { ...gadget.filter['state']!, options: undefined, suggest } },
  } as AnyEntity;
  expect(await completionsAt('state:AB|', entity)).toEqual(['state:abx', 'state:z', 'state:AB']);
});

test('offers and requests at most 50 suggestions', async () => {
  const suggest = async () => Array.from({ length: 60 }, (_, index) => ({ value: `v${index}`, label: `v${index}` }));
  const limits: number[] = [];
  const search = async (_: unknown, __: string, limit: number) => {
    limits.push(limit);
    return [];
  };
  const searchable = { ...gadget, search };
  const filter = {
    state: { ...gadget.filter['state']!, options: undefined, suggest },
    tag: { ...gadget.filter['tag']!, entity: () => searchable },
  };
  const entity = { ...gadget, filter } as AnyEntity;
  expect(await completionsAt('state:|', entity)).toHaveLength(50);
  expect([await completionsAt('tag:|', entity), limits]).toEqual([['tag:*'], [50]]);
});

test("completes the entity's sorts, groups, and views", async () => {
  expect(await completionsAt('group:|')).toEqual(['group:state']);
  expect(await completionsAt('sort:|', { ...gadget, sorts: ['name', '-seen'] })).toEqual(['sort:name', 'sort:-name']);
  const { suggestions } = await complete('view:', 5, gadget, testContext());
  expect(suggestions).toEqual([{ value: 'broken', label: 'broken', about: { key: 'gadget:views.broken' }, count: 2 }]);
  const withoutGroups = { ...gadget, groups: undefined, views: undefined } as AnyEntity;
  expect([
    await completionsAt('group:|', withoutGroups),
    await completionsAt('view:|', withoutGroups),
    await completionsAt('helth:|'),
  ]).toEqual([[], [], []]);
});

import { describe, expect, test, vi } from 'vitest';

import type { Context, Progress } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { UnknownValueError } from '#commands/model/errors.ts';
import type { Window } from '#commands/model/list.ts';
import { SELECTION, type Target } from '#commands/model/target.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';

import { countTarget, findOne, LOOKUP_PAGE, lookUp, notFound } from './lookup.ts';

/** Creates an entity with the given items. `parts` override its other members. */
const entityOf = (items: readonly Gadget[], parts: Partial<Entity<Gadget>> = {}): Entity<Gadget> => ({
  ...(gadget as Entity<Gadget>),
  list: async (_context, _compiled, { page, size }) => ({
    items: items.slice(page * size, (page + 1) * size),
    total: items.length,
  }),
  byIds: async (_context, ids) => items.filter(({ id }) => ids.includes(id)),
  find: async (_context, text) => items.filter(({ name }) => name === text),
  search: async (_context, text, limit) =>
    items.filter(({ name }) => name.toLowerCase().startsWith(text.toLowerCase())).slice(0, limit),
  ...parts,
});

const itemsNamed = (...names: string[]): Gadget[] =>
  names.map((name, index) => ({ id: `0000 000${index}`, name, state: 'OK' }));
const manyItems = (count: number): Gadget[] =>
  Array.from({ length: count }, (_, index) => ({ id: `id ${index}`, name: `Pump ${index}`, state: 'OK' }));

const progressOf = async (entity: Entity<Gadget>, target: Target): Promise<readonly unknown[]> => {
  const progress = vi.fn<(progress: Progress) => void>();
  await lookUp(entity, target, testContext({ progress }));
  return progress.mock.calls.map(([{ done, total }]) => [done, total]);
};
const idsOf = async (entity: Entity<Gadget>, target: Target, context: Context = testContext()) =>
  (await lookUp(entity, target, context)).ids;
/** Returns a lookup's error as users see it. */
const refusal = async (promise: Promise<unknown>): Promise<unknown> => {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return error instanceof UnknownValueError ? { ...error.userMessage, nearMatches: error.nearMatches } : error;
};

describe('the selection', () => {
  const focus = { entity: 'gadget', target: { query: 'state:ERROR' }, active: 'AAAA BBBB' } as const;

  test('is the target that `@selection` acts on and counts', async () => {
    const context = testContext({ focus });
    expect(await idsOf(gadget as Entity<Gadget>, SELECTION, context)).toEqual(['CCCC DDDD', 'EEEE FFFF']);
    expect(await countTarget(gadget, SELECTION, context)).toBe(2);
  });

  test('of another list is not used', async () => {
    const context = testContext({ focus: { ...focus, entity: 'widget' } });
    await expect(lookUp(gadget, SELECTION, context)).rejects.toMatchObject({
      userMessage: { key: 'core:selection.none', values: { entity: { key: 'gadget:one' } } },
    });
  });
});

test.each<[Target, number]>([
  [{ ids: ['AAAA BBBB', 'EEEE FFFF'] }, 2],
  [{ named: 'Well 7, North pump, #EEEE FFFF' }, 2],
  [{ query: 'state:ERROR' }, 2],
  [{ query: '' }, 3],
])('counts the items of %j', async (target, count) => {
  expect(await countTarget(gadget, target, testContext())).toBe(count);
});

test('refuses a filter with too many matches after the first page', async () => {
  const list = vi.fn<Entity<Gadget>['list']>(async (_context, _filter, { size }) => ({
    items: manyItems(size),
    total: 50_000,
  }));
  const entity = { ...(gadget as Entity<Gadget>), list };
  await expect(lookUp(entity, { query: '' }, testContext(), undefined, 10_000)).rejects.toMatchObject({
    userMessage: { key: 'core:validation.atMost', values: { max: 10_000 } },
  });
  expect(list).toHaveBeenCalledTimes(1);
});

describe('ids', () => {
  test('are looked up in one request without progress reports, up to 2,000 ids', async () => {
    const items = manyItems(2000);
    const byIds = vi.fn<Entity<Gadget>['byIds']>(async () => items);
    const entity = entityOf(items, { byIds, toId: (text) => text });
    expect(await progressOf(entity, { ids: items.map(({ id }) => id) })).toEqual([]);
    expect(byIds).toHaveBeenCalledTimes(1);
  });

  test('are looked up in parts above 2,000 ids, and each part is reported', async () => {
    const items = manyItems(4001);
    const entity = entityOf(items, { toId: (text) => text });
    const ids = items.map(({ id }) => id);
    expect(await idsOf(entity, { ids })).toEqual(ids);
    expect(await progressOf(entity, { ids })).toEqual([
      [2000, 4001],
      [4000, 4001],
      [4001, 4001],
    ]);
  });

  test('stop being looked up when the command refuses the items found so far or the user cancels', async () => {
    const items = manyItems(4001);
    const byIds = vi.fn<Entity<Gadget>['byIds']>(async (_context, ids) => items.filter(({ id }) => ids.includes(id)));
    const entity = entityOf(items, { byIds, toId: (text) => text });
    const target = { ids: items.map(({ id }) => id) };
    const refuse = (candidates: readonly Gadget[]): never => {
      throw new Error(`refused ${candidates.length}`);
    };
    await expect(lookUp(entity, target, testContext(), refuse)).rejects.toThrow('refused 2000');
    expect(byIds).toHaveBeenCalledTimes(1);
    const controller = new AbortController();
    const context = testContext({ signal: controller.signal, progress: () => controller.abort() });
    await expect(lookUp(entity, target, context)).rejects.toMatchObject({ name: 'AbortError' });
    expect(byIds).toHaveBeenCalledTimes(2);
  });

  test('that do not exist are named in the error, up to five of them', async () => {
    const lookupRefusal = (await refusal(lookUp(gadget, { ids: [...'123456'] }, testContext()))) as object;
    expect(lookupRefusal).toMatchObject({
      userMessage: { key: 'running:lookup.missing', values: { ids: '1, 2, 3, 4, 5', count: 6 } },
    });
  });
});

describe('names', () => {
  test('report progress only if there are several', async () => {
    expect(await progressOf(gadget as Entity<Gadget>, { named: 'Well 7' })).toEqual([]);
    expect(await progressOf(gadget as Entity<Gadget>, { named: 'Well 7,South pump' })).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test('stop being looked up when the user cancels', async () => {
    const controller = new AbortController();
    const context = testContext({ signal: controller.signal, progress: () => controller.abort() });
    const find = vi.fn<Entity<Gadget>['find']>(async (_context, text) => gadgets.filter(({ name }) => name === text));
    const lookup = lookUp(entityOf(gadgets, { find }), { named: 'Well 7,South pump' }, context);
    await expect(lookup).rejects.toMatchObject({ name: 'AbortError' });
    expect(find).not.toHaveBeenCalledWith(context, 'South pump');
  });

  test.each(['"",Well 7', 'Well 7,"  "'])('ignore empty parts: %s', async (names) => {
    expect(await idsOf(gadget as Entity<Gadget>, { named: names })).toEqual(['EEEE FFFF']);
  });

  test('that are ids refer to the item with the id, not to one with that name', async () => {
    const entity = entityOf([...gadgets, ...itemsNamed('AAAA BBBB', '#AAAA BBBB')]);
    for (const named of ['AAAA BBBB', '#AAAA BBBB']) expect(await idsOf(entity, { named })).toEqual(['AAAA BBBB']);
  });

  test('are not mistaken for ids', async () => {
    const items: Gadget[] = [
      { id: '7', name: 'Well', state: 'OK' },
      { id: '8', name: '7', state: 'OK' },
    ];
    const entity = entityOf(items, { isId: () => false, toId: (text) => text });
    expect([await idsOf(entity, { named: '7' }), await idsOf(entity, { named: '#7' })]).toEqual([['8'], ['7']]);
  });

  test('that contain commas identify one item, with its id', async () => {
    const entity = entityOf([...gadgets, ...itemsNamed('Well 7, South pump')]);
    expect(await lookUp(entity, { named: 'Well 7, South pump' }, testContext())).toMatchObject({
      ids: ['0000 0000'],
      items: [{ name: 'Well 7, South pump' }],
    });
  });

  test('that several items share are ambiguous, and the error lists the first five items', async () => {
    const namesakes = entityOf(itemsNamed('Pump', 'Pump', 'Other'));
    expect(await refusal(findOne(namesakes, 'Pump', testContext()))).toMatchObject({
      key: 'running:lookup.ambiguous',
      values: { text: 'Pump', candidates: 'Pump (0000 0000), Pump (0000 0001)' },
      nearMatches: ['#0000 0000', '#0000 0001'],
    });
    const many = entityOf(itemsNamed(...Array.from({ length: 7 }, () => 'Pump')));
    const { nearMatches, values } = (await refusal(findOne(many, 'Pump', testContext()))) as {
      nearMatches: readonly string[];
      values: { candidates: string };
    };
    expect([nearMatches.length, values.candidates.split(', ').length]).toEqual([5, 5]);
  });
});

describe('a filter', () => {
  /** Creates an entity that serves at most two rows per request, regardless of the page size. */
  const cappedEntity = (items: readonly Gadget[], list = vi.fn<Entity<Gadget>['list']>()): Entity<Gadget> =>
    entityOf(items, {
      list: list.mockImplementation(async (_context, _compiled, { page }) => {
        if (page > items.length) throw new Error('requested too many pages');
        return { items: items.slice(page * 2, page * 2 + 2), total: items.length };
      }),
    });

  test('is loaded page by page, even if the server returns shorter pages', async () => {
    const list = vi.fn<Entity<Gadget>['list']>();
    const items = manyItems(5);
    expect(await progressOf(cappedEntity(items, list), { query: '' })).toEqual([
      [2, 5],
      [4, 5],
    ]);
    expect(await idsOf(cappedEntity(items), { query: '' })).toEqual(items.map(({ id }) => id));
    expect(list.mock.calls.map(([, , window]) => window)).toEqual(
      [0, 1, 2].map((page): Window => ({ page, size: 1000, omitsValues: true })),
    );
  });

  test('is loaded with one request if all rows fit on a page', async () => {
    const list = vi.fn<Entity<Gadget>['list']>();
    await lookUp(cappedEntity(manyItems(2), list), { query: '' }, testContext());
    expect(list).toHaveBeenCalledTimes(1);
  });

  test('stops loading at an empty page if rows were deleted in the meantime', async () => {
    const list: Entity<Gadget>['list'] = async (_context, _compiled, { page }) => {
      if (page > 1) throw new Error('requested too many pages');
      return { items: gadgets.slice(page * 3), total: 4 };
    };
    expect(await idsOf(entityOf(gadgets, { list }), { query: '' })).toHaveLength(3);
  });

  test('continues loading after a page with a single row', async () => {
    const list: Entity<Gadget>['list'] = async (_context, _compiled, { page }) => ({
      items: gadgets.slice(page, page + 1),
      total: gadgets.length,
    });
    expect(await idsOf(entityOf(gadgets, { list }), { query: '' })).toHaveLength(3);
  });

  test('stops loading when the user cancels', async () => {
    const controller = new AbortController();
    const context = testContext({ signal: controller.signal, progress: () => controller.abort() });
    const list = vi.fn<Entity<Gadget>['list']>();
    const lookup = lookUp(cappedEntity(manyItems(5), list), { query: '' }, context);
    await expect(lookup).rejects.toMatchObject({ name: 'AbortError' });
    expect(list).toHaveBeenCalledTimes(1);
  });

  test('is part of the result, or of the error if it matches nothing', async () => {
    expect(await refusal(lookUp(gadget, { query: 'state:NOT_SEEN' }, testContext()))).toMatchObject({
      userMessage: { key: 'running:lookup.empty', values: { query: 'state:NOT_SEEN' } },
    });
    expect(await lookUp(gadget, { query: 'state:OK' }, testContext())).toMatchObject({
      ids: ['AAAA BBBB'],
      query: 'state:OK',
    });
  });

  test("requests no more rows than the server's maximum page size", () => {
    expect(LOOKUP_PAGE).toBe(1000);
  });
});

describe('an unknown name', () => {
  const suggestionsFor = (entity: Entity<Gadget>, text: string, options?: { orSearch: boolean }) =>
    refusal(notFound(entity, text, testContext(), options).then((error) => Promise.reject(error)));

  test('suggests search results, such as items with that serial number', async () => {
    const search: Entity<Gadget>['search'] = async (_context, text) => (text === '4711' ? [gadgets[2]!] : gadgets);
    expect(await suggestionsFor(entityOf(gadgets, { search }), '4711')).toMatchObject({
      key: 'running:lookup.near',
      values: { text: '4711', candidates: 'Well 7' },
      nearMatches: ['Well 7'],
    });
  });

  test('also offers the search itself if the param accepts a filter', async () => {
    const options = { orSearch: true };
    const [onlyItem] = itemsNamed('"North" pump');
    const entity = entityOf([onlyItem!], { search: async () => [onlyItem!] });
    expect(await suggestionsFor(entity, ' "North"  pu ', options)).toMatchObject({
      key: 'running:lookup.nearOrSearch',
      values: { search: String.raw`* "\"North\"" pu` },
    });
    const { applySearch: _unused, ...withoutSearch } = entity;
    expect(await suggestionsFor(withoutSearch, 'North', options)).toMatchObject({ key: 'running:lookup.near' });
    expect(await suggestionsFor(entityOf([]), 'North', options)).toMatchObject({
      key: 'running:lookup.none',
      nearMatches: [],
    });
    expect(await suggestionsFor(entity, 'North')).toMatchObject({ key: 'running:lookup.near' });
    expect(await refusal(lookUp(entity, { named: 'North' }, testContext()))).toMatchObject({
      key: 'running:lookup.nearOrSearch',
    });
  });

  test('with a typo is found by its first letters in a long list', async () => {
    const entity = entityOf([...manyItems(1000), ...itemsNamed('Norther')]);
    for (const text of ['Nortger', ' Norhter']) {
      expect(await suggestionsFor(entity, text)).toMatchObject({
        key: 'running:lookup.near',
        nearMatches: ['Norther'],
      });
    }
  });

  test('with a typo in the first letters is found in the first 1,000 items of the list', async () => {
    expect(await suggestionsFor(entityOf(itemsNamed('Norther')), 'Xorther')).toMatchObject({
      nearMatches: ['Norther'],
    });
    const searchableEntity = entityOf([...manyItems(1000), ...itemsNamed('Norther')]);
    expect(await suggestionsFor(searchableEntity, 'Xorther')).toMatchObject({ key: 'running:lookup.none' });
  });

  test('gets suggestions that users can type unchanged', async () => {
    const entity = entityOf(itemsNamed('Pump, south', 'Pump'));
    expect(await suggestionsFor(entity, 'Pum')).toMatchObject({
      values: { candidates: '"Pump, south", Pump' },
      nearMatches: ['Pump, south', 'Pump'],
    });
  });

  test('that contains commas is suggested as a whole if its first part is unknown', async () => {
    const entity = entityOf(itemsNamed('Pump, south'));
    expect(await refusal(lookUp(entity, { named: 'Pump, sout' }, testContext()))).toMatchObject({
      values: { text: 'Pump, sout' },
      nearMatches: ['Pump, south'],
    });
    expect(await refusal(lookUp(gadget, { named: 'Well 7, Nessie' }, testContext()))).toMatchObject({
      values: { text: 'Nessie' },
    });
  });
});

/** Returns the suggested names if the search finds the given names. */
async function suggestions(text: string, names: readonly string[]): Promise<unknown> {
  const people: typeof gadget = {
    ...gadget,
    search: async (_context, _text, limit) =>
      names.slice(0, limit).map((name) => ({ id: name, name, state: 'OK' as const })),
  };
  return (await notFound(people, text, testContext())).userMessage.values?.['candidates'];
}

test('suggests names that start with the text before names that contain it', async () => {
  expect(await suggestions('Anna', ['Hanna Lindqvist', 'Jo Annable', 'Anna Vermeer'])).toBe(
    'Anna Vermeer, Jo Annable, Hanna Lindqvist',
  );
  const hannas = Array.from({ length: 9 }, (_, index) => `Hanna ${index}`);
  expect(await suggestions('anna', [...hannas, 'Anna Vermeer'])).toBe(
    'Anna Vermeer, Hanna 0, Hanna 1, Hanna 2, Hanna 3',
  );
});

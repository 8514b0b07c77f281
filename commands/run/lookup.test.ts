import { describe, expect, test, vi } from 'vitest';

import type { Context, Progress } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { UnknownValueError } from '#commands/model/errors.ts';
import type { Window } from '#commands/model/list.ts';
import { SELECTION, type Target } from '#commands/model/target.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';

import { countTarget, findOne, LOOKUP_PAGE_SIZE, lookUp, createNotFoundError } from './lookup.ts';

/** Creates an entity with the given items and overrides. */
const createEntity = (items: readonly Gadget[], overrides: Partial<Entity<Gadget>> = {}): Entity<Gadget> => ({
  ...(gadget as Entity<Gadget>),
  list: async (_context, _compiled, { page, size }) => ({
    items: items.slice(page * size, (page + 1) * size),
    total: items.length,
  }),
  byIds: async (_context, ids) => items.filter(({ id }) => ids.includes(id)),
  find: async (_context, text) => items.filter(({ name }) => name === text),
  search: async (_context, text, limit) =>
    items.filter(({ name }) => name.toLowerCase().startsWith(text.toLowerCase())).slice(0, limit),
  ...overrides,
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
const errorFrom = async (promise: Promise<unknown>): Promise<unknown> => {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return error instanceof UnknownValueError ? { ...error.userMessage, nearMatches: error.nearMatches } : error;
};

describe('the selection', () => {
  const focus = { entity: 'gadget', target: { query: 'state:ERROR' }, active: 'AAAA BBBB' } as const;

  test('resolves and counts `@selection`', async () => {
    const context = testContext({ focus });
    expect(await idsOf(gadget as Entity<Gadget>, SELECTION, context)).toEqual(['CCCC DDDD', 'EEEE FFFF']);
    expect(await countTarget(gadget, SELECTION, context)).toBe(2);
  });

  test('ignores the selection of another list', async () => {
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

test('rejects a filter with too many matches after the first page', async () => {
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
  test('looks up as many as 2,000 ids in one request, without reporting progress', async () => {
    const items = manyItems(2000);
    const byIds = vi.fn<Entity<Gadget>['byIds']>(async () => items);
    const entity = createEntity(items, { byIds, toId: (text) => text });
    expect(await progressOf(entity, { ids: items.map(({ id }) => id) })).toEqual([]);
    expect(byIds).toHaveBeenCalledTimes(1);
  });

  test('looks up more than 2,000 ids in batches and reports progress per batch', async () => {
    const items = manyItems(4001);
    const entity = createEntity(items, { toId: (text) => text });
    const ids = items.map(({ id }) => id);
    expect(await idsOf(entity, { ids })).toEqual(ids);
    expect(await progressOf(entity, { ids })).toEqual([
      [2000, 4001],
      [4000, 4001],
      [4001, 4001],
    ]);
  });

  test('stops when the command rejects a batch or the user cancels', async () => {
    const items = manyItems(4001);
    const byIds = vi.fn<Entity<Gadget>['byIds']>(async (_context, ids) => items.filter(({ id }) => ids.includes(id)));
    const entity = createEntity(items, { byIds, toId: (text) => text });
    const target = { ids: items.map(({ id }) => id) };
    const reject = (candidates: readonly Gadget[]): never => {
      throw new Error(`rejected ${candidates.length}`);
    };
    await expect(lookUp(entity, target, testContext(), reject)).rejects.toThrow('rejected 2000');
    expect(byIds).toHaveBeenCalledTimes(1);
    const controller = new AbortController();
    const context = testContext({ signal: controller.signal, progress: () => controller.abort() });
    await expect(lookUp(entity, target, context)).rejects.toMatchObject({ name: 'AbortError' });
    expect(byIds).toHaveBeenCalledTimes(2);
  });

  test('names up to five missing ids in the error', async () => {
    const lookupError = (await errorFrom(lookUp(gadget, { ids: [...'123456'] }, testContext()))) as object;
    expect(lookupError).toMatchObject({
      userMessage: { key: 'running:lookup.missing', values: { ids: '1, 2, 3, 4, 5', count: 6 } },
    });
  });
});

describe('names', () => {
  test('reports progress only for several names', async () => {
    expect(await progressOf(gadget as Entity<Gadget>, { named: 'Well 7' })).toEqual([]);
    expect(await progressOf(gadget as Entity<Gadget>, { named: 'Well 7,South pump' })).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test('stops looking up names when the user cancels', async () => {
    const controller = new AbortController();
    const context = testContext({ signal: controller.signal, progress: () => controller.abort() });
    const find = vi.fn<Entity<Gadget>['find']>(async (_context, text) => gadgets.filter(({ name }) => name === text));
    const lookup = lookUp(createEntity(gadgets, { find }), { named: 'Well 7,South pump' }, context);
    await expect(lookup).rejects.toMatchObject({ name: 'AbortError' });
    expect(find).not.toHaveBeenCalledWith(context, 'South pump');
  });

  test.each(['"",Well 7', 'Well 7,"  "'])('ignores empty names: %s', async (names) => {
    expect(await idsOf(gadget as Entity<Gadget>, { named: names })).toEqual(['EEEE FFFF']);
  });

  test('prefers an id match over a name match', async () => {
    const entity = createEntity([...gadgets, ...itemsNamed('AAAA BBBB', '#AAAA BBBB')]);
    for (const named of ['AAAA BBBB', '#AAAA BBBB']) expect(await idsOf(entity, { named })).toEqual(['AAAA BBBB']);
  });

  test("doesn't mistake a name for an id", async () => {
    const items: Gadget[] = [
      { id: '7', name: 'Well', state: 'OK' },
      { id: '8', name: '7', state: 'OK' },
    ];
    const entity = createEntity(items, { isId: () => false, toId: (text) => text });
    expect([await idsOf(entity, { named: '7' }), await idsOf(entity, { named: '#7' })]).toEqual([['8'], ['7']]);
  });

  test('accepts a name that contains commas', async () => {
    const entity = createEntity([...gadgets, ...itemsNamed('Well 7, South pump')]);
    expect(await lookUp(entity, { named: 'Well 7, South pump' }, testContext())).toMatchObject({
      ids: ['0000 0000'],
      items: [{ name: 'Well 7, South pump' }],
    });
  });

  test('rejects an ambiguous name and lists the first five matches', async () => {
    const namesakes = createEntity(itemsNamed('Pump', 'Pump', 'Other'));
    expect(await errorFrom(findOne(namesakes, 'Pump', testContext()))).toMatchObject({
      key: 'running:lookup.ambiguous',
      values: { text: 'Pump', candidates: 'Pump (0000 0000), Pump (0000 0001)' },
      nearMatches: ['#0000 0000', '#0000 0001'],
    });
    const many = createEntity(itemsNamed(...Array.from({ length: 7 }, () => 'Pump')));
    const { nearMatches, values } = (await errorFrom(findOne(many, 'Pump', testContext()))) as {
      nearMatches: readonly string[];
      values: { candidates: string };
    };
    expect([nearMatches.length, values.candidates.split(', ').length]).toEqual([5, 5]);
  });
});

describe('a filter', () => {
  /** Creates an entity that serves at most two rows per request, regardless of the page size. */
  const cappedEntity = (items: readonly Gadget[], list = vi.fn<Entity<Gadget>['list']>()): Entity<Gadget> =>
    createEntity(items, {
      list: list.mockImplementation(async (_context, _compiled, { page }) => {
        if (page > items.length) throw new Error('requested too many pages');
        return { items: items.slice(page * 2, page * 2 + 2), total: items.length };
      }),
    });

  test('loads matches page by page, even if the server returns short pages', async () => {
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

  test('sends a single request if all rows fit on one page', async () => {
    const list = vi.fn<Entity<Gadget>['list']>();
    await lookUp(cappedEntity(manyItems(2), list), { query: '' }, testContext());
    expect(list).toHaveBeenCalledTimes(1);
  });

  test('stops loading at an empty page if rows were deleted in the meantime', async () => {
    const list: Entity<Gadget>['list'] = async (_context, _compiled, { page }) => {
      if (page > 1) throw new Error('requested too many pages');
      return { items: gadgets.slice(page * 3), total: 4 };
    };
    expect(await idsOf(createEntity(gadgets, { list }), { query: '' })).toHaveLength(3);
  });

  test('continues loading after a page with a single row', async () => {
    const list: Entity<Gadget>['list'] = async (_context, _compiled, { page }) => ({
      items: gadgets.slice(page, page + 1),
      total: gadgets.length,
    });
    expect(await idsOf(createEntity(gadgets, { list }), { query: '' })).toHaveLength(3);
  });

  test('stops loading when the user cancels', async () => {
    const controller = new AbortController();
    const context = testContext({ signal: controller.signal, progress: () => controller.abort() });
    const list = vi.fn<Entity<Gadget>['list']>();
    const lookup = lookUp(cappedEntity(manyItems(5), list), { query: '' }, context);
    await expect(lookup).rejects.toMatchObject({ name: 'AbortError' });
    expect(list).toHaveBeenCalledTimes(1);
  });

  test('returns the query in the result, or in the error if nothing matches', async () => {
    expect(await errorFrom(lookUp(gadget, { query: 'state:NOT_SEEN' }, testContext()))).toMatchObject({
      userMessage: { key: 'running:lookup.empty', values: { query: 'state:NOT_SEEN' } },
    });
    expect(await lookUp(gadget, { query: 'state:OK' }, testContext())).toMatchObject({
      ids: ['AAAA BBBB'],
      query: 'state:OK',
    });
  });

  test("requests no more rows than the server's maximum page size", () => {
    expect(LOOKUP_PAGE_SIZE).toBe(1000);
  });
});

describe('an unknown name', () => {
  const suggestionsFor = (entity: Entity<Gadget>, text: string, options?: { orSearch: boolean }) =>
    errorFrom(createNotFoundError(entity, text, testContext(), options).then((error) => Promise.reject(error)));

  test('suggests search results, for example items with the entered serial number', async () => {
    const search: Entity<Gadget>['search'] = async (_context, text) => (text === '4711' ? [gadgets[2]!] : gadgets);
    expect(await suggestionsFor(createEntity(gadgets, { search }), '4711')).toMatchObject({
      key: 'running:lookup.near',
      values: { text: '4711', candidates: 'Well 7' },
      nearMatches: ['Well 7'],
    });
  });

  test('also offers the search itself if the param accepts a filter', async () => {
    const options = { orSearch: true };
    const [onlyItem] = itemsNamed('"North" pump');
    const entity = createEntity([onlyItem!], { search: async () => [onlyItem!] });
    expect(await suggestionsFor(entity, ' "North"  pu ', options)).toMatchObject({
      key: 'running:lookup.nearOrSearch',
      values: { search: String.raw`* "\"North\"" pu` },
    });
    const { applySearch: _unused, ...withoutSearch } = entity;
    expect(await suggestionsFor(withoutSearch, 'North', options)).toMatchObject({ key: 'running:lookup.near' });
    expect(await suggestionsFor(createEntity([]), 'North', options)).toMatchObject({
      key: 'running:lookup.none',
      nearMatches: [],
    });
    expect(await suggestionsFor(entity, 'North')).toMatchObject({ key: 'running:lookup.near' });
    expect(await errorFrom(lookUp(entity, { named: 'North' }, testContext()))).toMatchObject({
      key: 'running:lookup.nearOrSearch',
    });
  });

  test('matches a misspelled name by its first letters in a long list', async () => {
    const entity = createEntity([...manyItems(1000), ...itemsNamed('Norther')]);
    for (const text of ['Nortger', ' Norhter']) {
      expect(await suggestionsFor(entity, text)).toMatchObject({
        key: 'running:lookup.near',
        nearMatches: ['Norther'],
      });
    }
  });

  test('matches a name with misspelled first letters only among the first 1,000 items', async () => {
    expect(await suggestionsFor(createEntity(itemsNamed('Norther')), 'Xorther')).toMatchObject({
      nearMatches: ['Norther'],
    });
    const searchableEntity = createEntity([...manyItems(1000), ...itemsNamed('Norther')]);
    expect(await suggestionsFor(searchableEntity, 'Xorther')).toMatchObject({ key: 'running:lookup.none' });
  });

  test('suggests names users can type verbatim', async () => {
    const entity = createEntity(itemsNamed('Pump, south', 'Pump'));
    expect(await suggestionsFor(entity, 'Pum')).toMatchObject({
      values: { candidates: '"Pump, south", Pump' },
      nearMatches: ['Pump, south', 'Pump'],
    });
  });

  test('suggests a whole name with commas if its first part is unknown', async () => {
    const entity = createEntity(itemsNamed('Pump, south'));
    expect(await errorFrom(lookUp(entity, { named: 'Pump, sout' }, testContext()))).toMatchObject({
      values: { text: 'Pump, sout' },
      nearMatches: ['Pump, south'],
    });
    expect(await errorFrom(lookUp(gadget, { named: 'Well 7, Nessie' }, testContext()))).toMatchObject({
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
  return (await createNotFoundError(people, text, testContext())).userMessage.values?.['candidates'];
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

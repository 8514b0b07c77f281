import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import type { Load } from '#commands/run/paging.ts';
import { testContext } from '#commands/testkit/context.ts';

import { listFindMany, remoteByIds, remoteFind, remoteFindMany, remoteList } from './remote-list.ts';

interface Selection {
  readonly ids?: readonly string[];
  readonly text?: string;
}

const context = testContext();

/** Creates a fake server with 1200 pumps that records the requests. */
function pumps() {
  const requests: unknown[] = [];
  const pumpIds = Array.from({ length: 1200 }, (_, id) => `${id}`);
  const load =
    (_: Context, { ids, text = '' }: Selection, sort: readonly string[] = []): Load<string> =>
    async ({ page = 0, size = 10 }) => {
      requests.push([ids?.length ?? text, sort, size]);
      const matches = pumpIds.filter((id) => id.includes(text) && (!ids || ids.includes(id)));
      const items = matches.slice(page * size, (page + 1) * size);
      const pagination = { size, total: matches.length, totalPages: Math.ceil(matches.length / size) };
      return { items, pagination: pagination as Awaited<ReturnType<Load<string>>>['pagination'] };
    };
  return { requests, load };
}

test('requests one page of a list in the given order', async () => {
  const { requests, load } = pumps();
  const { list } = remoteList({ load, searchSelection: (text): Selection => ({ text }) });
  const page = await list(context, { selection: { text: '119' }, sort: ['-id'] }, { page: 1, size: 2 });
  expect(page).toMatchObject({ items: ['1190', '1191'], total: 12 });
  expect(requests).toEqual([['119', ['-id'], 2]]);
});

test('requests only as many results as it shows, and keeps their order', async () => {
  const { requests, load } = pumps();
  const { search } = remoteList({ load, searchSelection: (text): Selection => ({ text }), order: ['name'] });
  expect(await search(context, ' 99 ', 3)).toEqual(['99', '199', '299']);
  expect(requests).toEqual([['99', ['name'], 3]]);
});

test('splits many ids into several requests', async () => {
  const { requests, load } = pumps();
  const byIds = remoteByIds(load, (ids): Selection => ({ ids }));
  const ids = Array.from({ length: 1100 }, (_, id) => `${id}`);
  expect(await byIds(context, ids)).toEqual(ids);
  expect(requests.map((item) => (item as unknown[])[0])).toEqual([500, 500, 100]);
});

test.each([
  [500, { rawMessage: 'acme has no pump 499.' }],
  [501, { userMessage: { key: 'running:lookup.someMissing', values: { organization: context.organization.name } } }],
])('reports missing items only if one request looked up all ids: %d ids', async (count, expected) => {
  const byIds = remoteByIds(
    () => () => Promise.reject(new ConnectError('acme has no pump 499.', Code.NotFound)),
    (ids): Selection => ({ ids }),
  );
  const ids = Array.from({ length: count }, (_, id) => `${id}`);
  await expect(byIds(context, ids)).rejects.toMatchObject(expected);
});

test('rethrows other errors', async () => {
  const failure = new ConnectError('away', Code.Unavailable);
  const byIds = remoteByIds(
    () => () => Promise.reject(failure),
    (ids): Selection => ({ ids }),
  );
  await expect(byIds(context, Array.from({ length: 501 }, String))).rejects.toBe(failure);
});

test('finds an item by # and its id, or by its exact text', async () => {
  const { load } = pumps();
  const byIds = remoteByIds(load, (ids): Selection => ({ ids }));
  const find = remoteFind({ load: (_, text) => load(_, { text }), byIds, identifiers: [(id) => [id]] });
  expect(await find(context, ' #7 ')).toEqual(['7']);
  expect(await find(context, '119')).toEqual(['119']);
  expect(await find(context, '9999')).toEqual([]);
});

test('finds what each of many names means with a search for several names', async () => {
  const requests: (readonly string[])[] = [];
  const pumpNames = Array.from({ length: 1200 }, (_, id) => `Pump ${id}`);
  const findMany = remoteFindMany({
    load: (_, texts) => async () => {
      requests.push(texts);
      return { items: pumpNames.filter((name) => texts.some((text) => name.includes(text))), pagination: undefined };
    },
    identifiers: [(name) => [name]],
  });
  const names = Array.from({ length: 45 }, (_, id) => `Pump ${id * 30}`);
  const found = await findMany(context, names);
  expect(requests.map(({ length }) => length)).toEqual([20, 20, 5]);
  expect(names.map((name) => found.get(name))).toEqual(names.map((name) => (pumpNames.includes(name) ? [name] : [])));
});

test('finds what each of many names means by loading the list, unless it is long', async () => {
  const { load, requests } = pumps();
  const findMany = listFindMany({ load: () => load(context, {}), identifiers: [(id) => [id]] });
  const names = Array.from({ length: 12 }, (_, id) => `${id * 110}`);
  const found = await findMany(context, names);
  expect(names.map((name) => found.get(name))).toEqual([...names.slice(0, 11).map((name) => [name]), []]);
  expect(requests).toHaveLength(4);
  expect((await findMany(context, names.slice(1))).size).toBe(0);
  expect(requests).toHaveLength(5);
});

test('in a long list, finds names by the first words that several of them have in common', async () => {
  const valves = Array.from({ length: 5000 }, (_, id) => `${id % 10 === 0 ? 'Kestrel' : 'Curlew'} valve ${id}`);
  const requests: string[] = [];
  const findMany = listFindMany({
    load:
      (_, text) =>
      async ({ page = 0, size = 10 }) => {
        requests.push(`${text} ${page}/${size}`);
        const words = text.toLowerCase().split(' ');
        const matches = valves.filter((valve) => words.every((word) => valve.toLowerCase().includes(word)));
        const pagination = { size, total: matches.length, totalPages: Math.ceil(matches.length / size) };
        const items = matches.slice(page * size, (page + 1) * size);
        return { items, pagination: pagination as Awaited<ReturnType<Load<string>>>['pagination'] };
      },
    identifiers: [(valve) => [valve]],
  });
  const kestrels = Array.from({ length: 10 }, (_, id) => `kestrel valve ${id * 10}`);
  const others = ['Curlew valve 1', 'Curlew valve 2', 'Heron'];
  const found = await findMany(context, [...kestrels, ...others, 'Kestrel valve nowhere']);
  expect(kestrels.map((name) => found.get(name))).toEqual(kestrels.map((name) => [name.replace('k', 'K')]));
  expect(found.get('Kestrel valve nowhere')).toEqual([]);
  // Looking up each of these takes one request, too.
  expect(others.map((name) => found.has(name))).toEqual([false, false, false]);
  expect(requests.map((request) => request.split(' ')[0])).toEqual(['', 'kestrel', 'kestrel']);
});

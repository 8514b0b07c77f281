import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { fromSearch } from '#commands/line/link.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { destinationAt, itemScreenAt } from '#src/address/paths.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { registry } from '#src/registry/registry.ts';

import { findItem } from './deep-addresses.ts';

vi.mock('#src/registry/loaders.ts', async () => {
  const [{ nouns }, { openCommand }, { gadget: entity }, { loadersFor }] = await Promise.all([
    import('#commands/nouns/all.ts'),
    import('#commands/kit/standard.ts'),
    import('#commands/testkit/gadget.ts'),
    import('#src/registry/testkit/loaders.ts'),
  ]);
  return loadersFor({ ...nouns, gadget: { entity, commands: [openCommand(entity)] } });
});

const gadgets = destinationAt('/gadgets')!;
const webhooks = destinationAt('/developer-tools/webhooks')!;
const nonexistent = { exists: false };

beforeEach(() => showGadgets());

describe('a URL below a list', () => {
  test.each([
    ['an id', ['AAAA%20BBBB']],
    ['an id in lowercase without a space', ['aaaabbbb', 'update']],
    ['a name', ['North%20pump', 'update']],
  ])('opens the item with %s in the panel', async (_, segments) => {
    expect(await findItem(gadgets, segments)).toEqual({
      list: '/gadgets',
      isWellFormed: true,
      exists: true,
      target: { to: '/gadgets', search: { panel: ['gadget/AAAA BBBB'] } },
    });
  });

  test('opens the item full screen if its entity asks for that', async () => {
    const searchFor = async (...segments: string[]) => (await findItem(gadgets, segments)).target?.search;
    Object.assign(gadget, { opensFull: true });
    expect(await searchFor('AAAA%20BBBB')).toEqual({ panel: ['gadget/AAAA BBBB'], full: 'true' });
    expect(await searchFor('AAAA%20BBBB', 'history')).toEqual({ panel: ['gadget/AAAA BBBB'], tab: 'history' });
    Object.assign(gadget, { opensFull: undefined });
    expect(await searchFor('AAAA%20BBBB')).toEqual({ panel: ['gadget/AAAA BBBB'] });
  });

  test('opens the tab that it names', async () => {
    const { target } = await findItem(gadgets, ['AAAA%20BBBB', 'history']);
    expect(target?.search).toEqual({ panel: ['gadget/AAAA BBBB'], tab: 'history' });
  });

  test.each([
    ['a missing item', ['FFFF%200000', 'update']],
    ['an unknown action', ['AAAA%20BBBB', 'explode']],
    ['an extra segment', ['AAAA%20BBBB', 'update', 'again']],
    ['an invalid escape', ['%E0%A4%A', 'update']],
    ['a create form of an entity without a create command', ['create']],
  ])('redirects to the list for %s', async (_, segments) => {
    expect(await findItem(gadgets, segments)).toMatchObject({ ...nonexistent, list: '/gadgets' });
  });

  test('reports the missing item, even if the server rejects the lookup, and rethrows other errors', async () => {
    const missingMessage = { key: 'running:lookup.none', values: { entity: { key: 'gadget:one' }, text: 'FFFF 0000' } };
    expect(await findItem(gadgets, ['FFFF%200000'])).toMatchObject({ ...nonexistent, missingMessage });
    const lookup = vi.spyOn(gadget, 'byIds').mockRejectedValue(new ConnectError('no gadget', Code.NotFound));
    expect(await findItem(gadgets, ['FFFF%200000'])).toMatchObject({ ...nonexistent, missingMessage });
    lookup.mockRejectedValue(new ConnectError('unreachable', Code.Unavailable));
    await expect(findItem(gadgets, ['FFFF%200000'])).rejects.toThrow('unreachable');
  });

  test('accepts only a numeric id for a webhook', async () => {
    expect(await findItem(webhooks, ['twelve', 'update'])).toMatchObject({ ...nonexistent, isWellFormed: false });
  });

  test('opens the form of the create command', async () => {
    const { exists, target } = await findItem(webhooks, ['create']);
    expect(exists).toBe(true);
    expect(fromSearch(target!.search, registry())?.invocation).toEqual({ id: 'webhook.create', args: {} });
  });
});

test('creates an item on its own screen', async () => {
  const parsers = destinationAt('/developer-tools/parsers')!;
  expect(await findItem(parsers, ['create'])).toEqual({
    list: '/developer-tools/parsers',
    isWellFormed: true,
    exists: true,
  });
});

test.each([
  ['/developer-tools/parsers/create', 'parser-bench', undefined],
  ['/developer-tools/parsers/create/simple', 'simple-parser-bench', undefined],
  ['/developer-tools/parsers/parser-1/update', 'parser-bench', 'parser-1'],
  ['/process-points/a/b/assign', 'timeline', 'a/b'],
])('%s shows the screen of an item', (path, shows, id) => {
  expect(itemScreenAt(path)).toMatchObject({ shows, id });
});

test.each([
  '/developer-tools/parsers/parser-1',
  '/developer-tools/parsers/update',
  '/developer-tools/parsers/create/other',
  '/developer-tools/parsers/parser-1/create',
  '/developer-tools/parsers/parser-1/toString',
  '/developer-tools/webhooks/create',
  '/process-points/assign',
])('%s shows no screen of an item', (path) => {
  expect(itemScreenAt(path)).toBeUndefined();
});

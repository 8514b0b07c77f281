import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, it } from 'vitest';

import { fromSearch } from '#commands/line/link.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { registry } from '#commands/nouns/all.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { destinationAt } from '#src/address/paths.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';

import { itemAt } from './deep-addresses.ts';

const shows = { entity: gadget as unknown as AnyEntity };
const gadgets = { shows, screen: gadget.screen, features: [], requires: undefined } as unknown as Destination;
const webhooks = destinationAt('/developer-tools/webhooks')!;
const nonexistent = { exists: false };

beforeEach(() => showGadgets());

describe('a URL below a list', () => {
  it.each([
    ['an id', ['AAAA%20BBBB']],
    ['an id in lowercase without a space', ['aaaabbbb', 'update']],
    ['a name', ['North%20pump', 'update']],
  ])('opens the item with %s in the panel', async (_, segments) => {
    expect(await itemAt(gadgets, segments)).toEqual({
      list: '/gadgets',
      wellFormed: true,
      exists: true,
      place: { to: '/gadgets', search: { panel: ['gadget/AAAA BBBB'] } },
    });
  });

  it('opens the tab that it names', async () => {
    const { place } = await itemAt(gadgets, ['AAAA%20BBBB', 'history']);
    expect(place.search).toEqual({ panel: ['gadget/AAAA BBBB'], tab: 'history' });
  });

  it.each([
    ['a missing item', ['FFFF%200000', 'update']],
    ['an unknown action', ['AAAA%20BBBB', 'explode']],
    ['an extra segment', ['AAAA%20BBBB', 'update', 'again']],
    ['a broken escape', ['%E0%A4%A', 'update']],
    ['a create form of an entity without a create command', ['create']],
  ])('redirects to the list for %s', async (_, segments) => {
    expect(await itemAt(gadgets, segments)).toMatchObject({ ...nonexistent, list: '/gadgets' });
  });

  it('names the missing item, even if the server rejects the lookup, and passes on other errors', async () => {
    const missing = { key: 'core:lookup.none', values: { entity: { key: 'gadget:one' }, text: 'FFFF 0000' } };
    expect(await itemAt(gadgets, ['FFFF%200000'])).toMatchObject({ ...nonexistent, missing });
    const refusing = { ...gadget, byIds: () => Promise.reject(new ConnectError('no gadget', Code.NotFound)) };
    const rejected = { ...gadgets, shows: { entity: refusing as unknown as AnyEntity } } as Destination;
    expect(await itemAt(rejected, ['FFFF%200000'])).toMatchObject({ ...nonexistent, missing });
    const failing = { ...gadget, byIds: () => Promise.reject(new ConnectError('unreachable', Code.Unavailable)) };
    const unreachable = { ...gadgets, shows: { entity: failing as unknown as AnyEntity } } as Destination;
    await expect(itemAt(unreachable, ['FFFF%200000'])).rejects.toThrow('unreachable');
  });

  it('accepts only a numeric ID for a webhook', async () => {
    expect(await itemAt(webhooks, ['twelve', 'update'])).toMatchObject({ ...nonexistent, wellFormed: false });
  });

  it('opens the form of the create command', async () => {
    const { exists, place } = await itemAt(webhooks, ['create']);
    expect(exists).toBe(true);
    expect(fromSearch(place.search, registry)?.invocation).toEqual({ id: 'webhook.create', args: {} });
  });
});

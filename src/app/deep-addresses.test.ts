import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, describe, expect, it } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { fromSearch } from '#commands/line/link.ts';
import { gadget } from '#commands/testkit/gadget.ts';

import { standAtGadgets } from '#src/palette/testkit/stand.ts';
import { itemAt } from './deep-addresses.ts';
import { destinationAt } from '#src/address/paths.ts';

const shows = { entity: gadget as unknown as AnyEntity };
const gadgets = { shows, screen: gadget.screen, features: [], requires: undefined } as unknown as Destination;
const webhooks = destinationAt('/developer-tools/webhooks')!;
const nowhere = { exists: false };

beforeEach(() => standAtGadgets());

describe('an address below a list', () => {
  it.each([
    ['an id', ['AAAA%20BBBB']],
    ['an id as people write it', ['aaaabbbb', 'update']],
    ['a name', ['North%20pump', 'update']],
  ])('names an item by %s, shown in the panel', async (_, rest) => {
    expect(await itemAt(gadgets, rest)).toEqual({
      list: '/gadgets',
      wellFormed: true,
      exists: true,
      shown: { to: '/gadgets', search: { panel: ['gadget/AAAA BBBB'] } },
    });
  });

  it('goes on with the tab that it is about', async () => {
    const { shown } = await itemAt(gadgets, ['AAAA%20BBBB', 'history']);
    expect(shown.search).toEqual({ panel: ['gadget/AAAA BBBB'], tab: 'history' });
  });

  it.each([
    ['an item that is not there', ['FFFF%200000', 'update']],
    ['something else to do with it', ['AAAA%20BBBB', 'explode']],
    ['more than there is', ['AAAA%20BBBB', 'update', 'again']],
    ['a broken escape', ['%E0%A4%A', 'update']],
    ['something new of what nobody makes', ['create']],
  ])('leads to the list for %s', async (_, rest) => {
    expect(await itemAt(gadgets, rest)).toMatchObject({ ...nowhere, list: '/gadgets' });
  });

  it('says which item there is none of, also where the server refuses to look for it', async () => {
    const missing = { key: 'core:lookup.none', values: { entity: { key: 'gadget:one' }, text: 'FFFF 0000' } };
    expect(await itemAt(gadgets, ['FFFF%200000'])).toMatchObject({ ...nowhere, missing });
    const refusing = { ...gadget, byIds: () => Promise.reject(new ConnectError('no gadget', Code.NotFound)) };
    const shown = { ...gadgets, shows: { entity: refusing as unknown as AnyEntity } } as Destination;
    expect(await itemAt(shown, ['FFFF%200000'])).toMatchObject({ ...nowhere, missing });
    const away = { ...gadget, byIds: () => Promise.reject(new ConnectError('away', Code.Unavailable)) };
    const unreachable = { ...gadgets, shows: { entity: away as unknown as AnyEntity } } as Destination;
    await expect(itemAt(unreachable, ['FFFF%200000'])).rejects.toThrow('away');
  });

  it('takes only a number for a webhook', async () => {
    expect(await itemAt(webhooks, ['twelve', 'update'])).toMatchObject({ ...nowhere, wellFormed: false });
  });

  it('makes something new with the command’s form', async () => {
    const { exists, shown } = await itemAt(webhooks, ['create']);
    expect(exists).toBe(true);
    expect(fromSearch(shown.search, registry)?.invocation).toEqual({ id: 'webhook.create', args: {} });
  });
});

import { describe, expect, it } from 'vitest';

import { readLine } from './line-row.ts';
import { namedSource } from './named-items.ts';
import { createListing, createTools, rowsOf, tool } from './testkit/listing.ts';

describe('ids of several items', () => {
  const read = (text: string, parts = {}) => {
    const listing = createListing(parts);
    return rowsOf(readLine(text, listing).sources[0]!);
  };

  it('show the items, or run a command on them', async () => {
    const keys = { text: 'm', attributes: { 'aria-keyshortcuts': 'm' } };
    const rows = await read('AAAA BBBB CCCCDDDD', {
      keys: ({ id }: { id: string }) => (id === 'gadget.mark' ? keys : undefined),
    });
    const target = { gadgets: { ids: ['AAAA BBBB', 'CCCC DDDD'] } };
    expect(rows[0]).toEqual({
      id: 'named gadget',
      label: 'palette.showNamed gadget:count 2',
      invocation: { id: 'gadget.list', args: { filter: 'number:"AAAA BBBB","CCCC DDDD"' } },
    });
    expect(rows.slice(1)).toEqual([
      {
        id: 'named gadget.mark',
        label: 'Mark several: gadget:count 2',
        keys,
        invocation: { id: 'gadget.mark', args: target },
      },
      {
        id: 'named gadget.scrap',
        label: 'Scrap several: gadget:count 2',
        invocation: { id: 'gadget.scrap', args: target },
      },
      {
        id: 'named gadget.polish',
        label: 'Polish several: gadget:count 2',
        reason: 'gadget:noWax',
        invocation: { id: 'gadget.polish', args: target },
      },
      {
        id: 'named gadget.borrow',
        label: 'Borrow several: gadget:count 2',
        invocation: { id: 'gadget.borrow', args: target },
      },
      {
        id: 'named crew.assign',
        label: 'Assign several: gadget:count 2',
        invocation: { id: 'crew.assign', args: target },
      },
    ]);
  });

  it('have no keys if their command has none, and name ids that do not exist', async () => {
    const [shown, first] = await read('AAAABBBB CCCCDDDD 11112222');
    expect(shown?.detail).toBe('palette.notFound 1111 2222');
    expect(first).not.toHaveProperty('keys');
    expect(await read(' AAAABBBB, CCCCDDDD; ')).toHaveLength(6);
  });

  it('that do not exist are named', async () => {
    const [some] = await read('AAAABBBB,11112222;33334444');
    expect(some).toMatchObject({
      label: 'palette.showNamed gadget:count 1',
      detail: 'palette.notFound 1111 2222, 3333 4444',
    });
    expect(some).not.toHaveProperty('reason');
    expect(await read('11112222 33334444')).toMatchObject([{ reason: 'palette.notFound 1111 2222, 3333 4444' }]);
  });

  it('of a noun without a list have no row that shows them, unless none of them exist', async () => {
    expect(await read('#12 #13')).toEqual([]);
    expect(await read('#88 #99')).toMatchObject([{ reason: 'palette.notFound 88, 99' }]);
    const registry = createTools();
    const listless = {
      ...registry,
      command: (id: string) => (id.endsWith('.list') ? undefined : registry.command(id)),
    };
    const unfiltered = { ...tool, idKey: undefined };
    const first = async (changed: object) => (await read('AAAABBBB CCCCDDDD', { registry: changed }))[0]?.id;
    expect(await first(registry)).toBe('named gadget');
    expect(await first(listless)).not.toBe('named gadget');
    expect(await first({ ...registry, entities: [unfiltered] })).not.toBe('named gadget');
  });

  it('count as ids only if there are several and every word is an id', () => {
    for (const text of ['12 13', 'AAAABBBB pump', 'AAAABBBB', 'AAAABBBB AAAA BBBB', 'AAAABBBB CCCC', '']) {
      expect([text, namedSource(text, createListing())]).toEqual([text, undefined]);
    }
  });

  it('are not shown for other text while they load', async () => {
    expect(await rowsOf(namedSource('AAAABBBB CCCCDDDD', createListing())!, false)).toEqual([]);
  });
});

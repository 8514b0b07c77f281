import { describe, expect, test } from 'vitest';

import { idListSource } from './id-lists.ts';
import { readLine } from './line-row.ts';
import { createListing, createTools, loadRows, tool } from './testkit/listing.ts';

describe('ids of several items', () => {
  const read = (text: string, parts = {}) => {
    const listing = createListing(parts);
    return loadRows(readLine(text, listing).sources[0]!);
  };

  test('show the items, or run a command on them', async () => {
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

  test('show no keys for a command without keys, and name an id that does not exist', async () => {
    const [showRow, commandRow] = await read('AAAABBBB CCCCDDDD 11112222');
    expect(showRow?.detail).toBe('palette.notFound 1111 2222');
    expect(commandRow).not.toHaveProperty('keys');
    expect(await read(' AAAABBBB, CCCCDDDD; ')).toHaveLength(6);
  });

  test("report all ids that don't exist", async () => {
    const [showRow] = await read('AAAABBBB,11112222;33334444');
    expect(showRow).toMatchObject({
      label: 'palette.showNamed gadget:count 1',
      detail: 'palette.notFound 1111 2222, 3333 4444',
    });
    expect(showRow).not.toHaveProperty('reason');
    expect(await read('11112222 33334444')).toMatchObject([{ reason: 'palette.notFound 1111 2222, 3333 4444' }]);
  });

  test('get no row for a noun without a list, except to report that no item exists', async () => {
    expect(await read('#12 #13')).toEqual([]);
    expect(await read('#88 #99')).toMatchObject([{ reason: 'palette.notFound 88, 99' }]);
    const registry = createTools();
    const registryWithoutList = {
      ...registry,
      command: (id: string) => (id.endsWith('.list') ? undefined : registry.command(id)),
    };
    const toolWithoutIdKey = { ...tool, idKey: undefined };
    const firstRowId = async (testRegistry: object) =>
      (await read('AAAABBBB CCCCDDDD', { registry: testRegistry }))[0]?.id;
    expect(await firstRowId(registry)).toBe('named gadget');
    expect(await firstRowId(registryWithoutList)).not.toBe('named gadget');
    expect(await firstRowId({ ...registry, entities: [toolWithoutIdKey] })).not.toBe('named gadget');
  });

  test('count as ids only if there are several and every word is an id', () => {
    for (const text of ['12 13', 'AAAABBBB pump', 'AAAABBBB', 'AAAABBBB AAAA BBBB', 'AAAABBBB CCCC', '']) {
      expect([text, idListSource(text, createListing())]).toEqual([text, undefined]);
    }
  });

  test('list no rows for another query', async () => {
    expect(await loadRows(idListSource('AAAABBBB CCCCDDDD', createListing())!, false)).toEqual([]);
  });
});

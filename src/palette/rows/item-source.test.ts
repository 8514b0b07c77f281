import { afterEach, describe, expect, test, vi } from 'vitest';

import { message } from '#commands/text/message.ts';
import { recordUse } from '#src/search/habits.ts';

import { itemSource } from './item-source.ts';
import { context, createTools, crew, crews, gadgets, loadRows, translate, tool } from './testkit/listing.ts';

const labels = (rows: readonly { readonly label: string }[]) => rows.map(({ label }) => label);

afterEach(() => {
  localStorage.clear();
});

describe('items', () => {
  const source = (query: string, searchContext = context, entity = tool) =>
    itemSource(entity, query, createTools(), searchContext, translate)!;

  test('open in the panel and are remembered by id', async () => {
    expect(await loadRows(source('pump'))).toEqual([
      {
        id: 'gadget AAAA BBBB',
        label: 'North pump',
        ranges: [[6, 10]],
        kind: 'Gadget',
        invocation: { id: 'gadget.open', args: { gadget: 'AAAA BBBB' } },
        item: { entity: 'gadget', id: 'AAAA BBBB' },
      },
      expect.objectContaining({ label: 'South pump' }),
    ]);
  });

  test('match by id and detail, and show their id if they have no name', async () => {
    const rows = source('aaaabbbb').rows([gadgets[0]], false);
    expect(rows.map(({ row }) => [row.label, row.ranges])).toEqual([['North pump', []]]);
    const namelessRows = source('goor', context, crew as never).rows([crews[2]], false);
    expect(namelessRows.map(({ row }) => [row.label, row.detail, row.ranges])).toEqual([['14', 'Goor', []]]);
    const translatedCrew = { ...crew, detail: () => message('crew:town') };
    expect(source('day', context, translatedCrew as never).rows([crews[1]], true)[0]?.row.detail).toBe('crew:town');
  });

  test('come last if the server matched a hidden field', () => {
    const foundRows = source('serial 4711').rows([gadgets[0]], true);
    expect(labels(foundRows.map(({ row }) => row))).toEqual(['North pump']);
    expect(foundRows[0]?.score).toBeLessThan(source('orth').rows([gadgets[0]], true)[0]?.score ?? NaN);
    expect(source('serial 4711').rows([gadgets[0]], false)).toEqual([]);
    // Scattered letters aren't a match.
    expect(source('nhp').rows([gadgets[0]], false)).toEqual([]);
    expect(source('').rows([gadgets[0]], false)).toHaveLength(1);
  });

  test("come first if they are used often, and otherwise keep the server's order", async () => {
    expect(labels(await loadRows(source('pump')))).toEqual(['North pump', 'South pump']);
    const before = source('pump').rows([gadgets[1]], true)[0]?.score ?? NaN;
    recordUse(context, 'gadget', 'CCCC DDDD');
    expect(labels(await loadRows(source('pump')))).toEqual(['South pump', 'North pump']);
    expect((source('pump').rows([gadgets[1]], true)[0]?.score ?? NaN) - before).toBeCloseTo(2);
  });

  test('rank as exact matches for their id in any notation', () => {
    const score = (query: string) => source(query).rows([gadgets[0]], true)[0]?.score ?? NaN;
    expect(score('aaaabbbb')).toBeCloseTo(score('AAAA BBBB'));
    expect(score('aaaabbbb')).toBeGreaterThan(score('aaaa'));
    expect(source('ccccdddd').rows([gadgets[0]], false)).toEqual([]);
    expect(source('serial 4711').rows([gadgets[0]], true)[0]?.row.ranges).toEqual([]);
  });

  test('match an id only if it is complete', () => {
    const rows = (query: string) => source(query, context, crew as never).rows([crews[0]], false);
    expect([rows('#12').length, rows('#1').length, rows('1#2').length]).toEqual([1, 0, 0]);
  });

  test('load twenty at a time', async () => {
    const search = vi.spyOn(tool, 'search');
    await source('pump').load(context);
    expect(search).toHaveBeenCalledWith(context, 'pump', 20);
    search.mockRestore();
  });

  test("aren't searched if no command opens them", () => {
    const registry = createTools();
    const registryWithoutOpen = { ...registry, commands: registry.commands.filter(({ id }) => id !== 'gadget.open') };
    expect(
      itemSource(tool as never, 'pump', registryWithoutOpen as typeof registry, context, translate),
    ).toBeUndefined();
  });
});

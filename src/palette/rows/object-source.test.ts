import { describe, expect, test, vi } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { message, type Message } from '#commands/text/message.ts';
import { TIER, tierOf } from '#commands/text/score.ts';

import { objectSources } from './object-source.ts';
import { context, createListing, createTools, gadgets, loadRows, tool } from './testkit/listing.ts';

const labels = (rows: readonly { readonly label: string }[]) => rows.map(({ label }) => label);
const withoutAbility = (ability: string): Context => ({
  ...context,
  actor: { ...context.actor, abilities: new Set([...context.actor.abilities].filter((name) => name !== ability)) },
});

describe('a verb with its object', () => {
  const sources = (query: string, searchContext = context) =>
    objectSources(query, createListing({ context: searchContext }));
  const rows = async (query: string, searchContext = context) =>
    (await Promise.all(sources(query, searchContext).map((source) => loadRows(source)))).flat();

  test('runs the command on the item', async () => {
    expect(await rows('scrap north')).toEqual([
      {
        id: 'object gadget.scrap gadgets AAAA BBBB',
        label: 'Scrap one: North pump',
        kind: 'Gadget',
        invocation: { id: 'gadget.scrap', args: { gadgets: { ids: ['AAAA BBBB'] } } },
      },
    ]);
  });

  test('sets a value on the item if the first words name the value', async () => {
    const invocation = { args: { gadgets: { ids: ['AAAA BBBB'] }, state: 'IN_ERROR' }, id: 'gadget.mark' };
    expect(await rows('error north')).toMatchObject([
      {
        id: 'object gadget.mark IN_ERROR gadgets AAAA BBBB',
        label: 'Mark one: IN_ERROR · North pump',
        kind: 'Gadget',
        invocation,
      },
    ]);
    expect(await rows('mark error north')).toMatchObject([{ invocation }]);
    expect(await rows('red north')).toEqual([]);
  });

  test("doesn't set a value that the user can't choose", () => {
    const registry = createTools();
    const mark = registry.command('gadget.mark')!;
    const sourcesOf = (check?: () => Message) => {
      const state = { ...mark.params['state'], ...(check ? { check } : {}) };
      const commands = [{ ...mark, params: { ...mark.params, state } }];
      return objectSources('error north', createListing({ registry: { ...registry, commands } as never }));
    };
    expect(sourcesOf()).toHaveLength(1);
    expect(sourcesOf(() => message('gadget:noErrors'))).toEqual([]);
  });

  test("passes the item's name or, failing that, its id", async () => {
    expect(await rows('assign day shift')).toMatchObject([
      { label: 'Assign one: Day shift', invocation: { id: 'crew.assign', args: { crew: 'Day shift' } } },
    ]);
    const [namelessRow] = await rows('assign goor');
    expect(namelessRow).toMatchObject({ label: 'Assign one: 14', invocation: { args: { crew: '14' } } });
  });

  test('is offered only for commands that the user can run and items that they can see', async () => {
    expect(labels(await rows('scrap  north'))).toEqual(['Scrap one: North pump']);
    for (const query of ['crap north', 'polish north', 'paint north', 'beep north', 'fly north', 'scr', 'scrap']) {
      expect([query, await rows(query)]).toEqual([query, []]);
    }
    expect(labels(await rows('mark north'))).toEqual(['Mark one: North pump']);
    expect(labels(await rows('scrap north', withoutAbility('VIEW_DEVICES')))).toEqual([]);
    expect(labels(await rows('assign day', withoutAbility('VIEW_USERS')))).toEqual([]);
  });

  test('omits items that only contain scattered letters', async () => {
    const [source] = sources('scrap nhp');
    expect(source?.rows([gadgets[0]], true)).toEqual([]);
  });

  test('ranks the better match for the command first, then the better match for the item', async () => {
    const [source] = sources('scrap pump');
    const [first, second] = source!.rows(gadgets.slice(0, 2), true);
    expect([first?.kind, (first?.score ?? 0) > (second?.score ?? 0)]).toEqual(['object', true]);
    const score = (query: string) => sources(query)[0]!.rows([gadgets[0]], true)[0]?.score ?? NaN;
    // A match inside a word scores lower than a match at its start.
    expect(score('scrap orth')).toBeLessThan(score('scrap north'));
    expect(score('scra north')).toBeLessThan(score('scrap north'));
    expect(score('scrap north pump')).toBeGreaterThan(score('scrap pump'));
    expect([score('scrap north'), score('scrap north pump'), score('scrap orth')].map(tierOf)).toEqual([
      TIER.words,
      TIER.words,
      TIER.inside,
    ]);
  });

  test("keeps a command's items together, best item first", () => {
    const registry = createTools();
    const scrap = registry.command('gadget.scrap')!;
    const slowCommand = { ...scrap, id: 'gadget.slow-scrap', verb: 'slow-scrap' };
    const listing = createListing({ registry: { ...registry, commands: [slowCommand, scrap] } as never });
    const results = [gadgets[0], { id: 'FFFF FFFF', name: 'Pump', state: 'OK' }];
    const rows = objectSources('scrap pump', listing)[0]!.rows(results, true);
    expect(labels(rows.toSorted((a, b) => b.score - a.score).map(({ row }) => row))).toEqual([
      'Scrap one: Pump',
      'Scrap one: North pump',
      'Slow-scrap one: Pump',
      'Slow-scrap one: North pump',
    ]);
  });

  test('ranks the better item first among commands that start with the words', () => {
    const registry = createTools();
    const scrap = registry.command('gadget.scrap')!;
    const commands = [scrap, { ...scrap, id: 'gadget.scrap-later', verb: 'scrap-later' }];
    const results = [gadgets[0], { id: 'FFFF FFFF', name: 'Pump', state: 'OK' }];
    const [source] = objectSources('scrap pump', createListing({ registry: { ...registry, commands } as never }));
    const rows = source!.rows(results, true).toSorted((a, b) => b.score - a.score);
    expect(labels(rows.map(({ row }) => row))).toEqual([
      'Scrap one: Pump',
      'Scrap-later one: Pump',
      'Scrap one: North pump',
      'Scrap-later one: North pump',
    ]);
  });

  test('starts with any word of the command', async () => {
    expect(labels(await rows('one north'))).toContain('Scrap one: North pump');
  });

  test('prefers complete matches to partial matches', () => {
    const scores = (query: string) =>
      sources(query)[0]!
        .rows(gadgets.slice(0, 2), true)
        .map(({ row, score }) => [row.invocation?.id, score] as const);
    // Results for the same command that match equally well keep the server's order.
    const [north, south] = scores('scrap pump');
    expect(north?.[1]).toBeGreaterThan(south?.[1] ?? NaN);
    const registry = createTools();
    const scrap = registry.command('gadget.scrap')!;
    const scrapWith = (id: string, verb: string) => ({ ...scrap, id, verb });
    const commands = [scrapWith('gadget.scrap-all', 'scrap-all'), scrap];
    const [source] = objectSources('scrap north', createListing({ registry: { ...registry, commands } as never }));
    const rows = source!.rows(gadgets.slice(0, 1), true).toSorted((a, b) => b.score - a.score);
    expect(rows.map(({ row }) => row.invocation?.id)).toEqual(['gadget.scrap', 'gadget.scrap-all']);
  });

  test('requests at most five items for at most eight commands', async () => {
    const search = vi.spyOn(tool, 'search');
    await rows('scrap north');
    expect(search).toHaveBeenCalledWith(context, 'north', 5);
    search.mockRestore();
    const registry = createTools();
    const scrap = registry.command('gadget.scrap')!;
    const many = Array.from({ length: 10 }, (_, index) => ({ ...scrap, id: `gadget.scrap-${index}` }));
    const [source] = objectSources(
      'scrap north',
      createListing({ registry: { ...registry, commands: many } as never }),
    );
    expect(source?.rows([gadgets[0]], true)).toHaveLength(8);
    // They include the best match. Commands without an object do not count.
    const slowCommands = many.map((command, index) => ({ ...command, verb: `slow-scrap-${index}` }));
    const objectless = many.map((command) => ({ ...command, id: `${command.id}-all`, verb: 'scrap', params: {} }));
    const mixedListing = createListing({
      registry: { ...registry, commands: [...objectless, ...slowCommands, scrap] } as never,
    });
    const offeredRows = objectSources('scrap north', mixedListing)[0]?.rows([gadgets[0]], true) ?? [];
    expect(offeredRows).toHaveLength(8);
    expect(labels(offeredRows.map(({ row }) => row))).toContain('Scrap one: North pump');
  });

  test('splits the words at any position', () => {
    expect(sources('crew assign day shift').map(({ id }) => id)).toContain(
      'objects crew crew assign day shift day shift',
    );
  });
});

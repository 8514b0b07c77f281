import { afterEach, describe, expect, test, vi } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { recordUse } from '#src/search/habits.ts';

import { commandSource, type CommandListing } from './command-rows.ts';
import { context, createListing, createTools, translate } from './testkit/listing.ts';

const crewContext: Context = { ...context, focus: { entity: 'crew', active: '12' } };

afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
});

describe('the list of commands', () => {
  const groups = (listing = createListing(), onlyApplicable = false) =>
    commandSource(listing)
      .list(onlyApplicable)
      .map(({ id, rows }) => [id, rows.map((row) => row.id)]);
  const applicableIds = ['gadget.mark', 'gadget.scrap', 'gadget.borrow', 'crew.assign', 'gadget.polish'];
  const otherIds = ['gadget.list', 'gadget.open', 'gadget.beep', 'gadget.tint', 'gadget.sound', 'crew.open'];

  test("starts with commands for the selection and omits commands it can't run", () => {
    expect(groups()).toEqual([
      ['fits', applicableIds],
      ['recent', []],
      ['commands', otherIds],
    ]);
    expect(groups(createListing(), true)).toEqual([['fits', applicableIds]]);
  });

  test('omits commands for a selection if nothing is selected', () => {
    expect(groups(createListing({ context: { ...context, focus: { entity: 'gadget' } } }))[0]).toEqual(['fits', []]);
    const [applicable, , rest] = groups(createListing({ context: { ...context, focus: undefined } }));
    expect([applicable, rest?.[1]?.slice(0, 3)]).toEqual([
      ['fits', []],
      ['gadget.list', 'gadget.open', 'gadget.mark'],
    ]);
  });

  test("shows a command's target, keys, and reason if it is unavailable", () => {
    const keys = { text: 'm', attributes: { 'aria-keyshortcuts': 'm' } };
    const listing = createListing({ keys: ({ id }) => (id === 'gadget.mark' ? keys : undefined) });
    const [group] = commandSource(listing).list(true);
    expect(group?.heading).toBe('palette.group.fits Northwind Energy gadget:active');
    expect(group?.rows[0]).toMatchObject({ label: 'Mark one', detail: 'gadget mark', keys });
    expect(group?.rows[0]).not.toHaveProperty('reason');
    expect(group?.rows[1]).not.toHaveProperty('keys');
    expect(group?.rows.at(-1)).toMatchObject({ label: 'Polish one', reason: 'gadget:noWax' });
    const namelessListing = createListing({
      context: { ...context, focus: { entity: 'gadget', active: 'AAAA BBBB' } },
    });
    expect(commandSource(namelessListing).list(true)[0]?.heading).toBe('palette.group.fits Northwind Energy ');
  });

  test('lists recently used commands before the others, and frequently used commands first', () => {
    for (const id of ['gadget.beep', 'crew.assign', 'gadget.paint', 'gadget.gone', 'gadget.list'])
      recordUse(context, 'command', id);
    const [applicable, recent, rest] = groups();
    expect(applicable?.[1]?.[0]).toBe('crew.assign');
    expect([...(recent?.[1] ?? [])].toSorted()).toEqual(['gadget.beep', 'gadget.list']);
    expect(rest?.[1]).toEqual(['gadget.open', 'gadget.tint', 'gadget.sound', 'crew.open']);
  });

  test('lists at most five recent commands and a hundred others', () => {
    const registry = createTools();
    const beep = registry.command('gadget.beep')!;
    const many = Array.from({ length: 120 }, (_, index) => ({
      ...beep,
      id: `gadget.beep-${index}`,
      verb: `beep-${index}`,
    }));
    const largeRegistry = { ...registry, commands: many } as typeof registry;
    vi.useFakeTimers();
    for (const { id } of many.slice(0, 8)) {
      vi.advanceTimersByTime(1000);
      recordUse(context, 'command', id, Date.now());
    }
    const [, recent, rest] = groups(createListing({ registry: largeRegistry }));
    expect(recent?.[1]).toEqual([7, 6, 5, 4, 3].map((index) => `gadget.beep-${index}`));
    expect(rest?.[1]).toHaveLength(100);
    expect(commandSource(createListing({ registry: largeRegistry })).search('beep', false)).toHaveLength(100);
  });

  test('matches titles in singular and plural, command words, and synonyms', () => {
    const words = (_language: string, noun: string, key: string) =>
      noun === 'gadget' && key === 'commands.beep.words' ? 'honk, toot' : undefined;
    const listing = createListing({ words });
    const searchIds = (query: string) =>
      commandSource(listing)
        .search(query, false)
        .map(({ row }) => row.id);
    expect(searchIds('beep one')).toEqual(['gadget.beep']);
    expect(searchIds('scrap several')).toEqual(['gadget.scrap']);
    expect(searchIds('crew assign')).toEqual(['crew.assign']);
    expect([searchIds('toot'), searchIds('honk')]).toEqual([['gadget.beep'], ['gadget.beep']]);
    expect(searchIds('blink')).toEqual([]);
    expect(searchIds('paint')).toEqual([]);
  });

  test("creates a command's row only once", () => {
    const keys = vi.fn<CommandListing['keys']>(() => undefined);
    const source = commandSource(createListing({ keys }));
    for (const query of ['b', 'be', 'beep one']) source.search(query, false);
    expect(keys.mock.calls.filter(([{ id }]) => id === 'gadget.beep')).toHaveLength(1);
  });

  test('can be limited to commands for the selection', () => {
    const searchIds = (query: string) =>
      commandSource(createListing())
        .search(query, true)
        .map(({ row }) => row.id);
    expect([searchIds('scrap'), searchIds('beep')]).toEqual([['gadget.scrap'], []]);
  });

  test('marks the matched letters of the title, but not of other names', () => {
    const [scrap] = commandSource(createListing()).search('scrap', false);
    expect(scrap).toMatchObject({ kind: 'command', row: { label: 'Scrap one', ranges: [[0, 5]] } });
    const [assign] = commandSource(createListing()).search('crew assign', false);
    expect(assign?.row.ranges).toEqual([]);
  });

  test('ranks commands that apply to the selection or that are used often higher', () => {
    const score = (query: string, searchContext: Context) =>
      commandSource(createListing({ context: searchContext })).search(query, false)[0]?.score ?? NaN;
    const unfocusedContext: Context = { ...context, focus: undefined };
    expect(score('assign', context) - score('assign', unfocusedContext)).toBeCloseTo(5);
    expect(score('assign', crewContext) - score('assign', unfocusedContext)).toBeCloseTo(0);
    expect(score('beep', context)).toBeCloseTo(score('beep', unfocusedContext));
    const before = score('assign', context);
    recordUse(context, 'command', 'crew.assign');
    expect(score('assign', context) - before).toBeCloseTo(2);
  });

  test("uses the user's language, even after the language changes", () => {
    const registry = createTools();
    const title = (language: string, prefix: string) =>
      commandSource(
        createListing({ registry, language, translate: (message) => `${prefix} ${translate(message)}` }),
      ).list(true)[0]?.rows[0]?.label;
    expect([title('en', 'en'), title('nl', 'nl'), title('en', 'other')]).toEqual([
      'en Mark one',
      'nl Mark one',
      'en Mark one',
    ]);
  });
});

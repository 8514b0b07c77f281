import { afterEach, describe, expect, it, vi } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { simplePlan } from '#commands/testkit/gadget.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { TIER, tierOf } from '#commands/text/score.ts';
import { learn } from '#src/search/habits.ts';

import { commandSource } from './command-rows.ts';
import { filterRow } from './filter-row.ts';
import { itemSource } from './item-source.ts';
import { readLine } from './line-row.ts';
import { namedSource } from './named-items.ts';
import { objectSources } from './object-source.ts';
import { scopeOf } from './prefixes.ts';
import { fromCommands, helpGroup } from './search-rows.ts';
import { asyncSources, immediateResults, isTooLong } from './sources.ts';
import { context, createListing, createTools, crew, crews, gadgets, rowsOf, say, tool } from './testkit/listing.ts';
import { searchValues } from './value-rows.ts';
import { searchViews } from './view-rows.ts';

const labels = (rows: readonly { readonly label: string }[]) => rows.map(({ label }) => label);
const without = (ability: string): Context => ({
  ...context,
  actor: { ...context.actor, abilities: new Set([...context.actor.abilities].filter((name) => name !== ability)) },
});
const elsewhere: Context = { ...context, focus: { entity: 'crew', active: '12' } };

afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
});

describe('the list of commands', () => {
  const groups = (listing = createListing(), onlyFitting = false) =>
    commandSource(listing)
      .everything(onlyFitting)
      .map(({ id, rows }) => [id, rows.map((row) => row.id)]);
  const fittingIds = ['gadget.mark', 'gadget.scrap', 'gadget.borrow', 'crew.assign', 'gadget.polish'];
  const others = ['gadget.list', 'gadget.open', 'gadget.beep', 'gadget.tint', 'gadget.sound', 'crew.open'];

  it('starts with commands for the selection, and omits commands that this console cannot run or that only have keys', () => {
    expect(groups()).toEqual([
      ['fits', fittingIds],
      ['recent', []],
      ['commands', others],
    ]);
    expect(groups(createListing(), true)).toEqual([['fits', fittingIds]]);
  });

  it('has no commands for a selection if nothing is selected', () => {
    expect(groups(createListing({ context: { ...context, focus: { entity: 'gadget' } } }))[0]).toEqual(['fits', []]);
    const [fitting, , rest] = groups(createListing({ context: { ...context, focus: undefined } }));
    expect([fitting, rest?.[1]?.slice(0, 3)]).toEqual([
      ['fits', []],
      ['gadget.list', 'gadget.open', 'gadget.mark'],
    ]);
  });

  it('names the target and the organization, and shows the words to type, the keys, and why a command is unavailable', () => {
    const keys = { text: 'm', attributes: { 'aria-keyshortcuts': 'm' } };
    const listing = createListing({ keys: ({ id }) => (id === 'gadget.mark' ? keys : undefined) });
    const [group] = commandSource(listing).everything(true);
    expect(group?.heading).toBe('palette.group.fits Northwind Energy gadget:active');
    expect(group?.rows[0]).toMatchObject({ label: 'Mark one', detail: 'gadget mark', keys });
    expect(group?.rows[0]).not.toHaveProperty('reason');
    expect(group?.rows[1]).not.toHaveProperty('keys');
    expect(group?.rows.at(-1)).toMatchObject({ label: 'Polish one', reason: 'gadget:noWax' });
    const nameless = createListing({ context: { ...context, focus: { entity: 'gadget', active: 'AAAA BBBB' } } });
    expect(commandSource(nameless).everything(true)[0]?.heading).toBe('palette.group.fits Northwind Energy ');
  });

  it('lists recently used commands before the others, and often used ones first', () => {
    for (const id of ['gadget.beep', 'crew.assign', 'gadget.paint', 'gadget.gone', 'gadget.list'])
      learn(context, 'command', id);
    const [fitting, recent, rest] = groups();
    expect(fitting?.[1]?.[0]).toBe('crew.assign');
    expect([...(recent?.[1] ?? [])].toSorted()).toEqual(['gadget.beep', 'gadget.list']);
    expect(rest?.[1]).toEqual(['gadget.open', 'gadget.tint', 'gadget.sound', 'crew.open']);
  });

  it('lists at most five recent commands and a hundred others', () => {
    const registry = createTools();
    const beep = registry.command('gadget.beep')!;
    const many = Array.from({ length: 120 }, (_, index) => ({
      ...beep,
      id: `gadget.beep-${index}`,
      verb: `beep-${index}`,
    }));
    const large = { ...registry, commands: many } as typeof registry;
    vi.useFakeTimers();
    for (const { id } of many.slice(0, 8)) {
      vi.advanceTimersByTime(1000);
      learn(context, 'command', id, Date.now());
    }
    const [, recent, rest] = groups(createListing({ registry: large }));
    expect(recent?.[1]).toEqual([7, 6, 5, 4, 3].map((index) => `gadget.beep-${index}`));
    expect(rest?.[1]).toHaveLength(100);
    expect(commandSource(createListing({ registry: large })).search('beep', false)).toHaveLength(100);
  });

  it('is searched by title in singular and plural, by the words to type, and by synonyms', () => {
    const words = (_language: string, noun: string, key: string) =>
      noun === 'gadget' && key === 'commands.beep.words' ? 'honk, toot' : undefined;
    const listing = createListing({ words });
    const found = (query: string) =>
      commandSource(listing)
        .search(query, false)
        .map(({ row }) => row.id);
    expect(found('beep one')).toEqual(['gadget.beep']);
    expect(found('scrap several')).toEqual(['gadget.scrap']);
    expect(found('crew assign')).toEqual(['crew.assign']);
    expect([found('toot'), found('honk')]).toEqual([['gadget.beep'], ['gadget.beep']]);
    expect(found('blink')).toEqual([]);
    expect(found('paint')).toEqual([]);
  });

  it('is searched only for the selection if the person asks for that', () => {
    const found = (query: string) =>
      commandSource(createListing())
        .search(query, true)
        .map(({ row }) => row.id);
    expect([found('scrap'), found('beep')]).toEqual([['gadget.scrap'], []]);
  });

  it('marks the matched letters of the title, but not of other names', () => {
    const [scrap] = commandSource(createListing()).search('scrap', false);
    expect(scrap).toMatchObject({ kind: 'command', row: { label: 'Scrap one', ranges: [[0, 5]] } });
    const [assign] = commandSource(createListing()).search('crew assign', false);
    expect(assign?.row.ranges).toEqual([]);
  });

  it('ranks commands higher that fit the selection or the screen, or that are used often', () => {
    const score = (query: string, place: Context) =>
      commandSource(createListing({ context: place })).search(query, false)[0]?.score ?? NaN;
    const nowhere: Context = { ...context, focus: undefined };
    expect(score('assign', context) - score('assign', nowhere)).toBeCloseTo(5);
    expect(score('assign', elsewhere) - score('assign', nowhere)).toBeCloseTo(0);
    expect(score('beep', context)).toBeCloseTo(score('beep', nowhere));
    const before = score('assign', context);
    learn(context, 'command', 'crew.assign');
    expect(score('assign', context) - before).toBeCloseTo(2);
  });

  it("uses the person's language, even after the language changes", () => {
    const registry = createTools();
    const title = (language: string, prefix: string) =>
      commandSource(createListing({ registry, language, say: (text) => `${prefix} ${say(text)}` })).everything(true)[0]
        ?.rows[0]?.label;
    expect([title('en', 'en'), title('nl', 'nl'), title('en', 'other')]).toEqual([
      'en Mark one',
      'nl Mark one',
      'en Mark one',
    ]);
  });
});

describe('values', () => {
  const found = (query: string, place = context) =>
    searchValues(query, createListing({ context: place })).map(({ row }) => row.label);

  it('are found by name and with words of their command', () => {
    expect(found('in error')).toEqual(['Mark one: IN_ERROR']);
    expect(found('mark error')).toEqual(['Mark one: IN_ERROR']);
    expect(found('error mark')).toEqual(['Mark one: IN_ERROR']);
    expect([found('mark'), found('xyz'), found('scrap error')]).toEqual([[], [], []]);
    expect(found(' mark  error ')).toEqual(['Mark one: IN_ERROR']);
    expect([found('ark error'), found('mark rror'), found('erro')]).toEqual([[], [], ['Mark one: IN_ERROR']]);
    const [plain, inContext] = ['error', 'mark error'].map((query) => searchValues(query, createListing())[0]);
    expect(inContext?.score).toBeLessThan(plain?.score ?? NaN);
  });

  it('set the value of their command, for the selection', () => {
    const [result] = searchValues('error', createListing());
    expect(result?.row).toEqual({
      id: 'value gadget.mark state IN_ERROR',
      label: 'Mark one: IN_ERROR',
      ranges: [[13, 18]],
      invocation: { id: 'gadget.mark', args: { state: 'IN_ERROR' } },
    });
    expect(result?.kind).toBe('value');
  });

  it('name their param if a command has several, have their own labels, and give the reason if not allowed', () => {
    expect(searchValues('red', createListing()).map(({ row }) => row)).toMatchObject([
      { label: 'Tint one: Crimson', detail: 'gadget:commands.tint.params.near', ranges: [] },
      { label: 'Tint one: RED', detail: 'gadget:commands.tint.params.far', reason: 'gadget:noRed', ranges: [[10, 13]] },
    ]);
    const [navy] = searchValues('navy', createListing());
    expect(navy?.row.label).toBe('Tint one: Navy');
    expect(navy?.row).not.toHaveProperty('reason');
    const [red] = searchValues('near red', createListing());
    expect(red?.row.label).toBe('Tint one: Crimson');
  });

  it('are offered only if nothing else is missing and the choice changes something', () => {
    expect([found('north'), found('shrill')]).toEqual([[], []]);
  });

  it('are not offered for one field of an editor', () => {
    const registry = createTools();
    const hue = p.choice(['TEAL']);
    const gadgetsParam = registry.command('gadget.mark')!.params['gadgets']!;
    const offered = (params: Command['params']) => {
      const edit = command({ id: 'gadget.edit', effect: 'write', plan: simplePlan, params, run: async () => ({}) });
      const changed = { ...registry, commands: [edit] } as typeof registry;
      return labels(searchValues('teal', createListing({ registry: changed })).map(({ row }) => row));
    };
    expect([offered({ hue }), offered({ gadgets: gadgetsParam, hue })]).toEqual([['Edit one: TEAL'], []]);
  });

  it('are not offered for a command that this console cannot run; a person without permission sees the reason', () => {
    const registry = createTools();
    const hide = (id: string, parts: object) => ({
      ...registry,
      commands: registry.commands.map((command) => (command.id === id ? { ...command, ...parts } : command)),
    });
    const hidden = createListing({ registry: hide('gadget.mark', { needs: ['line'] }) });
    expect(searchValues('error', hidden)).toEqual([]);
    const blocked = createListing({
      registry: hide('gadget.mark', { blocked: () => message('gadget:noInk') }),
    });
    expect(searchValues('error', blocked)[0]?.row.reason).toBe('gadget:noInk');
  });

  it('speak the language of the person', () => {
    const registry = createTools();
    const label = (language: string, prefix: string) =>
      searchValues('crimson', createListing({ registry, language, say: (text) => `${prefix} ${say(text)}` }))[0]?.row
        .label;
    expect([label('en', 'en'), label('nl', 'nl'), label('en', 'other')]).toEqual([
      'en Tint one: en Crimson',
      'nl Tint one: nl Crimson',
      'en Tint one: en Crimson',
    ]);
  });
});

describe('views', () => {
  const words = (_language: string, entity: string, key: string) =>
    entity === 'gadget' && key === 'viewWords.broken' ? 'defect' : undefined;
  const found = (query: string, place = context) =>
    searchViews(query, createListing({ words, context: place })).map(({ row }) => row.id);

  it('are found by name, by synonyms, and together with words of their screen', () => {
    for (const query of ['order', 'out of', 'defect', 'gadgets defect', 'screen order'])
      expect([query, found(query)]).toEqual([query, ['view gadget broken']]);
    expect([found('gadgets'), found('all'), found('xyz')]).toEqual([[], [], []]);
  });

  it('open the list with their filter, and mark only letters of the name', () => {
    const [view] = searchViews('order', createListing({ words }));
    expect(view).toMatchObject({
      kind: 'view',
      row: {
        label: 'Out of order',
        ranges: [[7, 12]],
        kind: 'palette.kind.view',
        invocation: { id: 'gadget.list', args: { filter: 'state:ERROR' } },
      },
    });
    expect(searchViews('defect', createListing({ words }))[0]?.row.ranges).toEqual([]);
  });

  it('are offered only for lists that exist and that the person may open', () => {
    expect(found('weary')).toEqual([]);
    const registry = createTools();
    const list = registry.command('gadget.list')!;
    const listed = { ...registry, command: (id: string) => (id === 'crew.list' ? { ...list, id } : undefined) };
    const [view] = searchViews('weary', createListing({ registry: listed as typeof registry }));
    expect(view?.row).toMatchObject({ label: 'Weary', detail: 'screen:crew.title', invocation: { id: 'crew.list' } });
    expect(found('order', without('VIEW_DEVICES'))).toEqual([]);
  });
});

describe('the filter row', () => {
  const row = (query: string, place = context) => filterRow(query, createListing({ context: place }))[0]?.row;

  it('filters the current list, or else the first list that can be searched', () => {
    const expected = {
      label: 'palette.filter screen:gadget.title pump 7',
      invocation: { id: 'gadget.list', args: { filter: 'pump 7' } },
    };
    expect(row('pump 7')).toMatchObject(expected);
    expect(row('pump 7', elsewhere)).toMatchObject(expected);
    expect(row('pump 7', { ...context, focus: undefined })).toMatchObject(expected);
  });

  it('is absent if the person may not open the list, or the filter is not valid', () => {
    expect(row('pump', without('VIEW_DEVICES'))).toBeUndefined();
    expect(row('state:')).toBeUndefined();
  });

  it('prefers the current list to an earlier one', () => {
    const registry = createTools();
    const second = { ...tool, name: 'widget', plural: 'widgets' } as typeof tool;
    const list = registry.command('gadget.list')!;
    const both = {
      ...registry,
      entities: [...registry.entities, second],
      entity: (name: string) => (name === 'widget' ? second : registry.entity(name)),
      command: (id: string) => (id === 'widget.list' ? { ...list, id } : registry.command(id)),
    } as typeof registry;
    const rowIn = (entity: string) =>
      filterRow('pump', createListing({ registry: both, context: { ...context, focus: { entity, active: '1' } } }))[0]
        ?.row.invocation?.id;
    expect([rowIn('widget'), rowIn('crew')]).toEqual(['widget.list', 'gadget.list']);
  });

  it('skips a list that cannot be searched, has no screen, or takes no filter', () => {
    const registry = createTools();
    const list = registry.command('gadget.list')!;
    const rowWith = (parts: object, listParts: object | undefined) => {
      const widget = { ...tool, name: 'widget', ...parts };
      const commands = new Map([['widget.list', listParts && { ...list, id: 'widget.list', ...listParts }]]);
      const changed = {
        ...registry,
        entity: () => widget,
        command: (id: string) => (commands.has(id) ? commands.get(id) : registry.command(id)),
      } as unknown as typeof registry;
      return filterRow('pump', createListing({ registry: changed }))[0]?.row.invocation?.id;
    };
    expect(rowWith({}, {})).toBe('widget.list');
    expect(rowWith({ features: ['gold'] }, {})).toBe('gadget.list');
    expect(rowWith({ applySearch: undefined }, {})).toBe('gadget.list');
    expect(rowWith({ screen: undefined }, {})).toBe('gadget.list');
    expect(rowWith({}, undefined)).toBe('gadget.list');
    expect(rowWith({}, { params: {} })).toBe('gadget.list');
    expect(rowWith({}, { params: { filter: registry.command('gadget.sound')!.params['tone'] } })).toBe('gadget.list');
  });
});

describe('a pasted address', () => {
  const link = { current: () => 'https://console.example.com/gadgets' } as never;
  const listing = createListing({ context: { ...context, host: { link } } });
  const read = (address: string, target = listing) => readLine(address, target).rows[0];

  it('of this console can be opened', () => {
    expect(read(' https://console.example.com/gadgets/5?tab=1 ')).toEqual({
      id: 'address',
      label: 'palette.address /gadgets/5?tab=1',
      invocation: { id: 'app.go', args: { address: '/gadgets/5?tab=1' } },
    });
    for (const path of ['/gadgets', '/machines', '/machines/5', '/', '']) {
      expect(read(`https://console.example.com${path}`)).not.toHaveProperty('reason');
    }
  });

  it('of any screen can be opened', () => {
    const registry = createTools();
    const widget = { ...tool, name: 'widget', screen: { path: '/widgets' } } as typeof tool;
    const two = createListing({ registry: { ...registry, entities: [...registry.entities, widget] } });
    for (const path of ['/gadgets', '/widgets']) {
      expect(read(`https://console.example.com${path}`, two)).not.toHaveProperty('reason');
    }
    expect(read('https://console.example.com/x', two)).toHaveProperty('reason');
  });

  it('of no screen or of another console is refused, with the reason', () => {
    expect(read('https://console.example.com/gadgetsx')?.reason).toBe('palette.noScreen /gadgetsx');
    expect(read('http://other.example.com/gadgets')?.reason).toBe('palette.otherConsole other.example.com');
    expect(read('https://other.example.com/gadgets', createListing())).not.toHaveProperty('reason');
  });

  it('with a command shows the command, regardless of the console it is from', () => {
    const { rows, invocation } = readLine('https://x.example.com/gadgets?run=gadget%20mark%20AAAABBBB%20OK', listing);
    expect(rows).toMatchObject([{ label: "gadget mark 'AAAA BBBB' OK", isLine: true }]);
    expect(invocation?.id).toBe('gadget.mark');
  });

  it.each(['https://', 'https://a b', 'see https://console.example.com/gadgets', 'https://exa[mple'])(
    'is only an address if it is nothing else: %s',
    (text) => {
      expect(readLine(text, listing).rows).toEqual([]);
    },
  );
});

describe('a typed line', () => {
  const read = (line: string) => readLine(line, createListing());

  it('runs as it is if it is complete', () => {
    expect(read('gadget mark AAAABBBB OK')).toEqual({
      rows: [
        {
          id: 'line',
          label: "gadget mark 'AAAA BBBB' OK",
          invocation: { id: 'gadget.mark', args: { gadgets: { ids: ['AAAA BBBB'] }, state: 'OK' } },
          isLine: true,
        },
      ],
      sources: [],
      invocation: { id: 'gadget.mark', args: { gadgets: { ids: ['AAAA BBBB'] }, state: 'OK' } },
    });
    expect(read('quarterdeck gadget beep').invocation).toEqual({ id: 'gadget.beep', args: {} });
    expect(read('gadget tint --near RED').invocation).toEqual({ id: 'gadget.tint', args: { near: 'RED' } });
    const link = readLine('https://x.example.com/?run=gadget%20beep', createListing());
    expect(link.invocation?.id).toBe('gadget.beep');
    expect(readLine('mailto:pump', createListing()).rows).toEqual([]);
  });

  it('is a search if it only names a command, or no command', () => {
    for (const line of ['gadget mark', 'gadget beep', 'pump', 'north pump 7', '']) {
      expect([line, read(line)]).toEqual([line, { rows: [], sources: [] }]);
    }
  });

  it('shows its problem if it can only be a line', () => {
    expect(read('gadget mark --foo').rows).toMatchObject([
      { id: 'line', label: 'gadget mark --foo', reason: expect.stringContaining('--foo'), isLine: true },
    ]);
    expect(read('gadget mark AAAABBBB PURPLE').rows[0]?.reason).toContain('PURPLE');
    expect(read('gadget mrak AAAABBBB').rows).toMatchObject([
      { label: 'gadget mrak AAAABBBB', reason: expect.stringContaining('gadget mark'), isLine: true },
    ]);
    const unknown = read('quarterdeck gadget fly');
    expect(unknown.rows).toMatchObject([{ label: 'gadget fly', isLine: true }]);
    expect(unknown.rows[0]?.reason).not.toBe('');
    expect(unknown).not.toHaveProperty('invocation');
  });
});

describe('ids of several items', () => {
  const read = (text: string, parts = {}) => {
    const listing = createListing(parts);
    return rowsOf(readLine(text, listing).sources[0]!);
  };

  it('show these items, or run a command on them', async () => {
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

  it('have no keys if the command has none, and name ids that do not exist', async () => {
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

  it('of a noun without a list have no row that shows them, unless none exists', async () => {
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

  it('are not shown for another text while they load', async () => {
    expect(await rowsOf(namedSource('AAAABBBB CCCCDDDD', createListing())!, false)).toEqual([]);
  });
});

describe('items', () => {
  const source = (query: string, place = context, entity = tool) =>
    itemSource(entity, query, createTools(), place, say)!;

  it('open in the panel, and are remembered by id', async () => {
    expect(await rowsOf(source('pump'))).toEqual([
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

  it('are found by id and detail, without marked letters in the name, and without a name show their id', async () => {
    const rows = source('aaaabbbb').rows([gadgets[0]], false);
    expect(rows.map(({ row }) => [row.label, row.ranges])).toEqual([['North pump', []]]);
    const nameless = source('goor', context, crew as never).rows([crews[2]], false);
    expect(nameless.map(({ row }) => [row.label, row.detail, row.ranges])).toEqual([['14', 'Goor', []]]);
    const translated = { ...crew, detail: () => message('crew:town') };
    expect(source('day', context, translated as never).rows([crews[1]], true)[0]?.row.detail).toBe('crew:town');
  });

  it('that the server found by another field are listed below, but not for the next query', () => {
    const found = source('serial 4711').rows([gadgets[0]], true);
    expect(labels(found.map(({ row }) => row))).toEqual(['North pump']);
    expect(found[0]?.score).toBeLessThan(source('orth').rows([gadgets[0]], true)[0]?.score ?? NaN);
    expect(source('serial 4711').rows([gadgets[0]], false)).toEqual([]);
    // Scattered letters are not a match.
    expect(source('nhp').rows([gadgets[0]], false)).toEqual([]);
    expect(source('').rows([gadgets[0]], false)).toHaveLength(1);
  });

  it("that are used often come first, the others in the server's order", async () => {
    expect(labels(await rowsOf(source('pump')))).toEqual(['North pump', 'South pump']);
    const before = source('pump').rows([gadgets[1]], true)[0]?.score ?? NaN;
    learn(context, 'gadget', 'CCCC DDDD');
    expect(labels(await rowsOf(source('pump')))).toEqual(['South pump', 'North pump']);
    expect((source('pump').rows([gadgets[1]], true)[0]?.score ?? NaN) - before).toBeCloseTo(2);
  });

  it('named by their id rank as exact matches in any notation; other words do not change their rank', () => {
    const score = (query: string) => source(query).rows([gadgets[0]], true)[0]?.score ?? NaN;
    expect(score('aaaabbbb')).toBeCloseTo(score('AAAA BBBB'));
    expect(score('aaaabbbb')).toBeGreaterThan(score('aaaa'));
    const other = source('ccccdddd').rows([gadgets[0]], false);
    expect(other).toEqual([]);
    expect(source('serial 4711').rows([gadgets[0]], true)[0]?.row.ranges).toEqual([]);
  });

  it('are named by a complete id only', () => {
    const rows = (query: string) => source(query, context, crew as never).rows([crews[0]], false);
    expect([rows('#12').length, rows('#1').length]).toEqual([1, 0]);
  });

  it('are requested twenty at a time', async () => {
    const search = vi.spyOn(tool, 'search');
    await source('pump').load(context);
    expect(search).toHaveBeenCalledWith(context, 'pump', 20);
    search.mockRestore();
  });

  it('of a noun without a command to open them are not searched', () => {
    const registry = createTools();
    const closed = { ...registry, commands: registry.commands.filter(({ id }) => id !== 'gadget.open') };
    expect(itemSource(tool as never, 'pump', closed as typeof registry, context, say)).toBeUndefined();
  });
});

describe('a verb with its object', () => {
  const sources = (query: string, place = context) => objectSources(query, createListing({ context: place }));
  const rows = async (query: string, place = context) =>
    (await Promise.all(sources(query, place).map((source) => rowsOf(source)))).flat();

  it('runs the command on the item', async () => {
    expect(await rows('scrap north')).toEqual([
      {
        id: 'object gadget.scrap gadgets AAAA BBBB',
        label: 'Scrap one: North pump',
        kind: 'Gadget',
        invocation: { id: 'gadget.scrap', args: { gadgets: { ids: ['AAAA BBBB'] } } },
      },
    ]);
  });

  it("passes the item's name to a command that needs a single item, or its id if it has no name", async () => {
    expect(await rows('assign day shift')).toMatchObject([
      { label: 'Assign one: Day shift', invocation: { id: 'crew.assign', args: { crew: 'Day shift' } } },
    ]);
    const [nameless] = await rows('assign goor');
    expect(nameless).toMatchObject({ label: 'Assign one: 14', invocation: { args: { crew: '14' } } });
  });

  it('is offered only for commands that the person can run on items that the person may see', async () => {
    expect(labels(await rows('  scrap  north '))).toEqual(['Scrap one: North pump']);
    for (const query of ['crap north', 'polish north', 'paint north', 'beep north', 'fly north', 'scr', 'scrap']) {
      expect([query, await rows(query)]).toEqual([query, []]);
    }
    expect(labels(await rows('mark north'))).toEqual(['Mark one: North pump']);
    expect(labels(await rows('scrap north', without('VIEW_DEVICES')))).toEqual([]);
    expect(labels(await rows('assign day', without('VIEW_USERS')))).toEqual([]);
  });

  it('omits items that merely contain scattered letters', async () => {
    const [source] = sources('scrap nhp');
    expect(source?.rows([gadgets[0]], true)).toEqual([]);
  });

  it('ranks the better command first, then the better item', async () => {
    const [source] = sources('scrap pump');
    const [first, second] = source!.rows(gadgets.slice(0, 2), true);
    expect([first?.kind, (first?.score ?? 0) > (second?.score ?? 0)]).toEqual(['object', true]);
    const score = (query: string) => sources(query)[0]!.rows([gadgets[0]], true)[0]?.score ?? NaN;
    // Part of a word counts less than the start of a word.
    expect(score('scrap orth')).toBeLessThan(score('scrap north'));
    expect(score('scra north')).toBeLessThan(score('scrap north'));
    expect(score('scrap north pump')).toBeGreaterThan(score('scrap pump'));
    expect([score('scrap north'), score('scrap north pump'), score('scrap orth')].map(tierOf)).toEqual([
      TIER.words,
      TIER.words,
      TIER.inside,
    ]);
  });

  it('keeps the items of a command together, the best item first', () => {
    const registry = createTools();
    const scrap = registry.command('gadget.scrap')!;
    const slow = { ...scrap, id: 'gadget.slow-scrap', verb: 'slow-scrap' };
    const listing = createListing({ registry: { ...registry, commands: [slow, scrap] } as never });
    const found = [gadgets[0], { id: 'FFFF FFFF', name: 'Pump', state: 'OK' }];
    const rows = objectSources('scrap pump', listing)[0]!.rows(found, true);
    expect(labels(rows.toSorted((a, b) => b.score - a.score).map(({ row }) => row))).toEqual([
      'Scrap one: Pump',
      'Scrap one: North pump',
      'Slow-scrap one: Pump',
      'Slow-scrap one: North pump',
    ]);
  });

  it('starts with any word of the command', async () => {
    expect(labels(await rows('one north'))).toContain('Scrap one: North pump');
  });

  it('prefers the items and commands that match better to those that match in part', () => {
    const scores = (query: string) =>
      sources(query)[0]!
        .rows(gadgets.slice(0, 2), true)
        .map(({ row, score }) => [row.invocation?.id, score] as const);
    // The same command and the same quality of match: in the order of the server.
    const [north, south] = scores('scrap pump');
    expect(north?.[1]).toBeGreaterThan(south?.[1] ?? NaN);
    const registry = createTools();
    const scrap = registry.command('gadget.scrap')!;
    const retitled = (id: string, verb: string) => ({ ...scrap, id, verb });
    const commands = [retitled('gadget.scrap-all', 'scrap-all'), scrap];
    const [source] = objectSources('scrap north', createListing({ registry: { ...registry, commands } as never }));
    const rows = source!.rows(gadgets.slice(0, 1), true).toSorted((a, b) => b.score - a.score);
    expect(rows.map(({ row }) => row.invocation?.id)).toEqual(['gadget.scrap', 'gadget.scrap-all']);
  });

  it('requests at most five items for at most eight commands', async () => {
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
    // The best match is among them, and commands without an object take no place.
    const slow = many.map((command, index) => ({ ...command, verb: `slow-scrap-${index}` }));
    const objectless = many.map((command) => ({ ...command, id: `${command.id}-all`, verb: 'scrap', params: {} }));
    const mixed = createListing({ registry: { ...registry, commands: [...objectless, ...slow, scrap] } as never });
    const offered = objectSources('scrap north', mixed)[0]?.rows([gadgets[0]], true) ?? [];
    expect(offered).toHaveLength(8);
    expect(labels(offered.map(({ row }) => row))).toContain('Scrap one: North pump');
  });

  it('splits the words at any place', () => {
    expect(sources('crew assign day shift').map(({ id }) => id)).toContain(
      'objects crew crew assign day shift day shift',
    );
  });
});

describe('the prefix', () => {
  it.each([
    ['pump ', { query: 'pump', commands: true, help: false, entities: undefined }],
    ['> beep', { query: 'beep', commands: true, help: false, entities: [] }],
    ['@pump', { query: 'pump', commands: false, help: false, entities: ['device'] }],
    ['#needs', { query: 'needs', commands: false, help: false, entities: ['tag'] }],
    ['~north', { query: 'north', commands: false, help: false, entities: ['organization'] }],
    ['?', { query: '', commands: false, help: true, entities: [] }],
  ])('%s narrows the search', (text, scope) => {
    expect(scopeOf(text)).toEqual(scope);
  });

  it('is explained by the help, which inserts it', () => {
    const { id, heading, rows } = helpGroup((key) => key);
    expect([id, heading]).toEqual(['help', 'palette.group.help']);
    expect(rows.map(({ label, prefix }) => [label, prefix])).toEqual([
      ['palette.prefix.commands', '>'],
      ['palette.prefix.device', '@'],
      ['palette.prefix.tag', '#'],
      ['palette.prefix.organization', '~'],
      ['palette.prefix.help', '?'],
    ]);
    expect(rows[0]?.keys).toEqual({ text: '>', attributes: { 'aria-description': '>' } });
  });
});

describe('the sources of a query', () => {
  const kinds = (text: string, narrowed = false) => [
    ...new Set(immediateResults(scopeOf(text), narrowed, createListing()).map(({ kind }) => kind)),
  ];
  const ids = (text: string, narrowed = false, place = context) =>
    asyncSources(scopeOf(text), narrowed, createListing({ context: place })).map(({ id }) => id);

  it('depend on the scope of the search', () => {
    expect(kinds('o').toSorted()).toEqual(['command', 'filter', 'value', 'view']);
    expect(kinds('> o').toSorted()).toEqual(['command', 'value']);
    expect(kinds('o', true)).not.toContain('filter');
    expect([kinds('@scrap'), kinds('')]).toEqual([[], []]);
    expect(ids('scrap pump')).toEqual(['items gadget', 'items crew', 'objects gadget scrap pump pump']);
    expect([ids('pump', true), ids(''), ids('> scrap pump')]).toEqual([[], [], []]);
    expect(ids('scrap pump', false, without('VIEW_USERS'))).not.toContain('items crew');
    const tools = { query: '', commands: false, help: false, entities: ['gadget'] };
    expect(asyncSources(tools, false, createListing()).map(({ id }) => id)).toEqual(['items gadget']);
  });

  it('start a command without arguments, which the palette then asks for', () => {
    const results = immediateResults(scopeOf('scrap'), false, createListing());
    expect(results.find(({ kind }) => kind === 'command')?.row.invocation).toEqual({ id: 'gadget.scrap', args: {} });
    const [group] = commandSource(createListing()).everything(true).map(fromCommands);
    expect(group?.rows[0]?.invocation).toEqual({ id: 'gadget.mark', args: {} });
  });

  it('are not queried for text that is too long to search for', () => {
    const tooLong = (length: number) => isTooLong(scopeOf('x'.repeat(length)));
    expect([tooLong(MAX_LENGTH.search), tooLong(MAX_LENGTH.search + 1)]).toEqual([false, true]);
  });
});

import { describe, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';

import { commandSource } from './command-rows.ts';
import { parseScope } from './prefixes.ts';
import { toSearchGroup, helpGroup } from './search-rows.ts';
import { asyncSources, immediateResults, isTooLong } from './sources.ts';
import { context, createListing, loadRows } from './testkit/listing.ts';

const withoutAbility = (ability: string): Context => ({
  ...context,
  actor: { ...context.actor, abilities: new Set([...context.actor.abilities].filter((name) => name !== ability)) },
});

describe('the prefix', () => {
  test.each([
    ['pump ', { query: 'pump', commands: true, help: false, entities: undefined }],
    ['> beep', { query: 'beep', commands: true, help: false, entities: [] }],
    ['@pump', { query: 'pump', commands: false, help: false, entities: ['device'] }],
    ['#needs', { query: 'needs', commands: false, help: false, entities: ['tag'] }],
    ['#12', { query: '12', commands: false, help: false, entities: ['tag'], id: '#12' }],
    ['#12 ', { query: '12', commands: false, help: false, entities: ['tag'], id: '#12' }],
    ['~north', { query: 'north', commands: false, help: false, entities: ['organization'] }],
    ['?', { query: '', commands: false, help: true, entities: [] }],
  ])('%s narrows the search', (text, scope) => {
    expect(parseScope(text)).toEqual(scope);
  });

  test('is explained in the help, and inserted when chosen there', () => {
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
    ...new Set(immediateResults(parseScope(text), narrowed, createListing()).map(({ kind }) => kind)),
  ];
  const ids = (text: string, narrowed = false, searchContext = context) =>
    asyncSources(parseScope(text), narrowed, createListing({ context: searchContext })).map(({ id }) => id);

  test('depend on the scope of the search', () => {
    expect(kinds('o').toSorted()).toEqual(['command', 'filter', 'value', 'view']);
    expect(kinds('> o').toSorted()).toEqual(['command', 'value']);
    expect(kinds('o', true)).not.toContain('filter');
    expect([kinds('@scrap'), kinds('')]).toEqual([[], []]);
    expect(ids('scrap pump')).toEqual(['items gadget', 'items crew', 'objects gadget scrap pump pump']);
    expect([ids('pump', true), ids(''), ids('> scrap pump')]).toEqual([[], [], []]);
    expect(ids('scrap pump', false, withoutAbility('VIEW_USERS'))).not.toContain('items crew');
    const tools = { query: '', commands: false, help: false, entities: ['gadget'] };
    expect(asyncSources(tools, false, createListing()).map(({ id }) => id)).toEqual(['items gadget']);
  });

  test('find any item with a number after #, although # is also the prefix of tags', async () => {
    const sources = asyncSources(parseScope('#12'), false, createListing());
    const rows = await Promise.all(sources.map((source) => loadRows(source)));
    expect([sources.map(({ id }) => id), rows.flat().map(({ label }) => label)]).toEqual([
      ['items crew'],
      ['Night shift'],
    ]);
    expect(ids('#night')).toEqual([]);
  });

  test('start a command without arguments, for which the palette then prompts', () => {
    const results = immediateResults(parseScope('scrap'), false, createListing());
    expect(results.find(({ kind }) => kind === 'command')?.row.invocation).toEqual({ id: 'gadget.scrap', args: {} });
    const [group] = commandSource(createListing()).list(true).map(toSearchGroup);
    expect(group?.rows[0]?.invocation).toEqual({ id: 'gadget.mark', args: {} });
  });

  test("don't run for text that's too long to search for", () => {
    const tooLong = (length: number) => isTooLong(parseScope('x'.repeat(length)));
    expect([tooLong(MAX_LENGTH.search), tooLong(MAX_LENGTH.search + 1)]).toEqual([false, true]);
  });
});

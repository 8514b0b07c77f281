import { describe, expect, test } from 'vitest';

import { TIER, tierOf } from '#commands/text/score.ts';

import { commandSource } from './command-rows.ts';
import type { NounWords } from './synonyms.ts';
import { createListing } from './testkit/listing.ts';
import { searchViews } from './view-rows.ts';

const strings: Readonly<Record<string, string>> = {
  'en gadget words': 'widget, gizmo',
  'en gadget commands.list.words': 'warehouse',
  'en gadget commands.beep.words': 'honk, toot loudly',
  'nl gadget commands.beep.words': 'toeter',
  'en gadget viewWords.broken': 'defect, bust up',
};
const words: NounWords = (language, noun, key) => strings[[language, noun, key].join(' ')];

/** Returns the ids of the matching commands, best match first, with the tier of each match. */
const search = (query: string, language = 'en') =>
  commandSource(createListing({ words, language }))
    .search(query, false)
    .map(({ row, score }) => [row.id, tierOf(score)]);
const searchExact = (query: string, language?: string) =>
  search(query, language).filter(([, tier]) => tier === TIER.exact);

describe('a command is found by', () => {
  test('its own synonyms, and for the list of a noun, by the synonyms of the noun', () => {
    expect([search('honk'), search('toot loudly')]).toEqual([
      [['gadget.beep', TIER.exact]],
      [['gadget.beep', TIER.exact]],
    ]);
    expect([searchExact('widget'), searchExact('gizmo'), searchExact('warehouse')]).toEqual([
      [['gadget.list', TIER.exact]],
      [['gadget.list', TIER.exact]],
      [['gadget.list', TIER.exact]],
    ]);
  });

  test('synonyms of its verb, alone or with synonyms of its noun, below commands with that name', () => {
    expect(search('details')).toContainEqual(['gadget.open', TIER.words]);
    expect(search('widget details')).toEqual([['gadget.open', TIER.words]]);
    expect(search('gizmo')).toContainEqual(['gadget.mark', TIER.words]);
    expect(search('widget assign')).toEqual([]);
  });

  test("synonyms in the user's language and in English", () => {
    expect(searchExact('toeter', 'nl-NL')).toEqual([['gadget.beep', TIER.exact]]);
    expect(searchExact('honk', 'nl')).toEqual([['gadget.beep', TIER.exact]]);
    expect(searchExact('toeter')).toEqual([]);
  });
});

test('finds a view by each of its synonyms', () => {
  const viewTiers = (query: string) =>
    searchViews(query, createListing({ words })).map(({ row, score }) => [row.id, tierOf(score)]);
  expect([viewTiers('defect'), viewTiers('bust up')]).toEqual([
    [['view gadget broken', TIER.exact]],
    [['view gadget broken', TIER.exact]],
  ]);
});

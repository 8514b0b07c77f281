import { describe, expect, it } from 'vitest';

import { TIER, tierOf } from '#commands/text/score.ts';

import { commandSource } from './command-rows.ts';
import { createListing } from './testkit/listing.ts';
import { searchViews } from './view-rows.ts';
import type { NounWords } from './words.ts';

const texts: Readonly<Record<string, string>> = {
  'en gadget words': 'widget, gizmo',
  'en gadget commands.list.words': 'warehouse',
  'en gadget commands.beep.words': 'honk, toot loudly',
  'nl gadget commands.beep.words': 'toeter',
  'en gadget viewWords.broken': 'defect, bust up',
};
const words: NounWords = (language, noun, key) => texts[[language, noun, key].join(' ')];

/** Returns the ids of the commands found, best first, with the tier of the match. */
const found = (query: string, language = 'en') =>
  commandSource(createListing({ words, language }))
    .search(query, false)
    .map(({ row, score }) => [row.id, tierOf(score)]);
const exactly = (query: string, language?: string) => found(query, language).filter(([, tier]) => tier === TIER.exact);

describe('a command is found by', () => {
  it('each of its own synonyms, and the name of a noun means its list', () => {
    expect([found('honk'), found('toot loudly')]).toEqual([
      [['gadget.beep', TIER.exact]],
      [['gadget.beep', TIER.exact]],
    ]);
    expect([exactly('widget'), exactly('gizmo'), exactly('warehouse')]).toEqual([
      [['gadget.list', TIER.exact]],
      [['gadget.list', TIER.exact]],
      [['gadget.list', TIER.exact]],
    ]);
  });

  it('synonyms of its verb, alone and with those of its noun, below commands of that name', () => {
    expect(found('details')).toContainEqual(['gadget.open', TIER.words]);
    expect(found('widget details')).toEqual([['gadget.open', TIER.words]]);
    expect(found('gizmo')).toContainEqual(['gadget.mark', TIER.words]);
    expect(found('widget assign')).toEqual([]);
  });

  it("synonyms in the user's language and in English", () => {
    expect(exactly('toeter', 'nl-NL')).toEqual([['gadget.beep', TIER.exact]]);
    expect(exactly('honk', 'nl')).toEqual([['gadget.beep', TIER.exact]]);
    expect(exactly('toeter')).toEqual([]);
  });
});

it('finds a view by each of its synonyms', () => {
  const viewTiers = (query: string) =>
    searchViews(query, createListing({ words })).map(({ row, score }) => [row.id, tierOf(score)]);
  expect([viewTiers('defect'), viewTiers('bust up')]).toEqual([
    [['view gadget broken', TIER.exact]],
    [['view gadget broken', TIER.exact]],
  ]);
});

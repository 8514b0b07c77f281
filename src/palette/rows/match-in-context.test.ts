import { describe, expect, test } from 'vitest';

import { candidate, inTier, TIER, tierOf, type Tier } from '#commands/text/score.ts';

import { matchInContext } from './match-in-context.ts';

const matchOf = (query: string, text: string) => matchInContext(candidate(text), candidate('Set lifecycle'), query);

describe('a value with words of its command', () => {
  test.each<[query: string, text: string, tier: Tier]>([
    ['lifecycle paused', 'Paused', TIER.words],
    ['paused life', 'Is paused', TIER.words],
    ['lifcycle paused', 'Paused', TIER.words],
    ['lifecycle pausd', 'Paused', TIER.near],
    // `set` is inside a word of the value, but it also starts a word of the command.
    ['set paused', 'Reset paused', TIER.words],
  ])('matches %j in %j and words of the value alone', (query, text, tier) => {
    expect(matchOf(query, text)?.score).toBe(inTier(tier, 0));
  });

  test('matches by the value alone', () => {
    expect(tierOf(matchOf('paused', 'Paused')?.score ?? 0)).toBe(TIER.exact);
    expect(tierOf(matchOf('pausd', 'Paused')?.score ?? 0)).toBe(TIER.near);
  });

  test('marks only letters of the value', () => {
    expect(matchOf('lifecycle pau', 'Is paused')?.ranges).toEqual([[3, 6]]);
  });

  test.each(['lifecycle', 'cycle paused', 'sl paused', 'life other paused', 'psd', 'set psd', ' '])(
    "doesn't match %j",
    (query) => {
      expect(matchOf(query, 'Paused')).toBeUndefined();
    },
  );
});

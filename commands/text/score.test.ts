import { describe, expect, it } from 'vitest';

import { candidate, match, needle, scoreOf, TIER, tierOf } from './score.ts';

function tier(query: string, text: string, synonyms?: string): number | undefined {
  const score = scoreOf(candidate(text, synonyms), needle(query));
  return score === undefined ? undefined : tierOf(score);
}

/** Texts that match, best first. */
function ranked(query: string, ...texts: readonly string[]): readonly string[] {
  const scores = texts.map((text) => ({ text, score: scoreOf(candidate(text), needle(query)) ?? -Infinity }));
  return scores.toSorted((a, b) => b.score - a.score).map(({ text }) => text);
}

/** The letters that are marked, and the others as dots. */
function marked(text: string, query: string): string {
  const { ranges } = match(candidate(text), needle(query)) ?? { ranges: [] };
  return [...text].map((letter, at) => (ranges.some(([from, to]) => at >= from && at < to) ? letter : '.')).join('');
}

describe('the tier of a match', () => {
  it.each([
    ['needs visit', 'Needs visit', TIER.exact],
    ['NEEDS', 'Needs visit', TIER.start],
    ['visit', 'Needs visit', TIER.words],
    ['visit needs', 'Needs visit', TIER.words],
    ['nv', 'Needs visit', TIER.initials],
    ['nevi', 'Needs visit', TIER.initials],
    ['hge', 'Halvorsen Geothermal', TIER.initials],
    ['halg', 'Halvorsen Geothermal', TIER.initials],
    ['hal g', 'Halvorsen Geothermal', TIER.words],
    ['devics', 'Go to devices', TIER.near],
    ['webhok', 'Edit webhooks', TIER.near],
    ['ofdevics', 'Go to devices', undefined],
    ['tgs', 'Edit tags', TIER.scattered],
    ['isit', 'Needs visit', TIER.inside],
    ['eeds visit', 'Needs visit', TIER.inside],
    ['edvt', 'Needs visit', TIER.scattered],
    ['visits', 'Needs visit', undefined],
  ])('of %s in %s', (query, text, expected) => {
    expect(tier(query, text)).toBe(expected);
  });

  it('takes each phrase by itself', () => {
    expect(tier('logout', 'Sign out', 'log off\nlogout\nexit')).toBe(TIER.exact);
    expect(tier('log', 'Sign out', 'log off\nlogout')).toBe(TIER.start);
    expect(tier('out logout', 'Sign out', 'logout')).toBe(TIER.words);
  });

  it('scatters no letters over synonyms', () => {
    expect(tier('lgt', 'Sign out', 'logout')).toBeUndefined();
    expect(tier('sgt', 'Sign out', 'logout')).toBe(TIER.scattered);
  });

  it('starts a word at a capital', () => {
    expect(tier('tags', 'newTags')).toBe(TIER.words);
    expect(tier('ewt', 'newTags')).toBe(TIER.inside);
    expect(tier('id', 'deviceID')).toBe(TIER.words);
    expect(tier('d', 'ID')).toBe(TIER.inside);
  });
});

describe('within a tier', () => {
  it('words in the order they were typed come before the same words apart', () => {
    expect(ranked('assign tag', 'Tag: assign', 'Assign a tag')).toEqual(['Assign a tag', 'Tag: assign']);
  });

  it('a whole word comes before the beginning of one', () => {
    expect(ranked('password', 'Reset passwords', 'Change my password')).toEqual([
      'Change my password',
      'Reset passwords',
    ]);
  });

  it('the label comes before another name, and the shorter rest before the longer', () => {
    expect(ranked('dev', 'Go to it\ndevices', 'Devices in error', 'Device')).toEqual([
      'Device',
      'Devices in error',
      'Go to it\ndevices',
    ]);
  });
});

describe('a word with a letter left out', () => {
  it('is marked without it, and the shorter name comes first', () => {
    expect(marked('Go to devices', 'devics')).toBe('......devic.s');
    expect(ranked('devics', 'Edit devices of it', 'Devices in error', 'Devices')).toEqual([
      'Devices',
      'Devices in error',
      'Edit devices of it',
    ]);
  });
});

describe('what is marked', () => {
  it.each([
    ['tip', '.......tip', 'set at tip'],
    ['at t', '....at.t..', 'set at tip'],
    ['dev go', 'Go....dev....', 'Go to devices'],
    ['ice to', '...to....ice.', 'Go to devices'],
  ])('by %j is where it matches: %s', (query, wanted, text) => {
    expect(marked(text, query)).toBe(wanted);
  });
});

describe('letters of several words', () => {
  it('go to the start of a word only as far as the rest still fits behind it', () => {
    // `tip` starts with the second letter, but no `a` follows it.
    expect(marked('set at tip', 'sta')).toBe('s.t.a.....');
    expect(marked('set at tip', 'sat')).toBe('s...at....');
    expect(marked('set at tip', 'satip')).toBe('s...a..tip');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { candidate, match, needle, scoreOf } from '#commands/text/score.ts';

import { createSearcher } from './searcher.ts';

const commands = [
  'Device: set lifecycle',
  'Device: edit notes',
  'Tag: assign to devices',
  'Tag: create',
  'Webhook: create',
  'Webhook: edit',
  'Go to devices',
  'Organization: act as',
];

function search(query: string, labels: readonly string[] = commands): string[] {
  return createSearcher(labels.map((text) => candidate(text)))
    .search(query, 10)
    .map(({ index }) => labels[index] ?? '');
}

/** Returns the text with a dot in place of each letter that isn't marked. */
function highlight(text: string, query: string): string {
  const { ranges } = match(candidate(text), needle(query)) ?? { ranges: [] };
  return [...text]
    .map((letter, index) => (ranges.some(([from, to]) => index >= from && index < to) ? letter : '.'))
    .join('');
}

describe('search results', () => {
  test('contain the letters in order, across words', () => {
    expect(search('dvcjol', ['Device journal of locations', 'Device notes'])).toEqual(['Device journal of locations']);
    expect(search('tgas')).toEqual(['Tag: assign to devices']);
    expect(search('zz')).toEqual([]);
  });

  test('rank initials, words, and prefixes first', () => {
    expect(search('wc')[0]).toBe('Webhook: create');
    expect(search('sl')[0]).toBe('Device: set lifecycle');
    expect(search('dev')[0]).toBe('Device: edit notes');
    expect(search('create tag')[0]).toBe('Tag: create');
  });

  test('ignore accents and case', () => {
    expect(search('ostra', ['Østra', 'Östra fält', 'Other'])).toEqual(['Östra fält']);
    expect(search('NORTH', ['North field'])).toEqual(['North field']);
  });

  test('mark matched letters, preferably at word starts', () => {
    expect(highlight('Device: set lifecycle', 'sl')).toBe('........s...l........');
    expect(highlight('Needs visit', 'needs v')).toBe('Needs.v....');
    expect(highlight('Tag: create', 'create tag')).toBe('Tag..create');
  });
});

const words = fc.array(fc.string({ unit: fc.constantFrom(...'abcdeAB :-é7'), minLength: 1, maxLength: 9 }), {
  maxLength: 6,
});

describe('a search of random strings', () => {
  test('matches any subsequence of the text', () => {
    fc.assert(
      fc.property(words, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (parts, picks) => {
        const text = parts.join(' ');
        const query = [...text].filter((_, index) => picks[index]).join('');
        expect(scoreOf(candidate(text), needle(query))).toBeDefined();
      }),
    );
  });

  test("doesn't depend on earlier, shorter queries", () => {
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 20 }),
        fc.string({ unit: fc.constantFrom(...'abce 7'), maxLength: 8 }),
        (lists, query) => {
          const candidates = lists.map((parts) => candidate(parts.join(' ')));
          const searcher = createSearcher(candidates);
          for (let length = 0; length < query.length; length++) searcher.search(query.slice(0, length), 5);
          expect(searcher.search(query, 5)).toEqual(createSearcher(candidates).search(query, 5));
        },
      ),
    );
  });
});

test('skips candidates that a shorter query excluded', () => {
  const candidates = Array.from({ length: 1000 }, (_, index) =>
    candidate(index % 10 === 0 ? `webhook ${index}` : `device ${index}`),
  );
  let reads = 0;
  const countedCandidates = candidates.map((candidate) => ({
    ...candidate,
    get mask() {
      reads++;
      return candidate.mask;
    },
  }));
  const searcher = createSearcher(countedCandidates);
  searcher.search('w', 5);
  const readsBefore = reads;
  searcher.search('we', 5);
  expect(readsBefore).toBeGreaterThanOrEqual(1000);
  expect(reads - readsBefore).toBeLessThanOrEqual(100 + 5);
});

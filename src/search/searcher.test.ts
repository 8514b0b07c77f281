import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

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

function found(query: string, among: readonly string[] = commands): string[] {
  return createSearcher(among.map((text) => candidate(text)))
    .search(query, 10)
    .map(({ index }) => among[index] ?? '');
}

/** The letters that are marked, and the others as dots. */
function marked(text: string, query: string): string {
  const { ranges } = match(candidate(text), needle(query)) ?? { ranges: [] };
  return [...text]
    .map((letter, index) => (ranges.some(([from, to]) => index >= from && index < to) ? letter : '.'))
    .join('');
}

describe('what is found', () => {
  it('has the letters in order, across words', () => {
    expect(found('dvcjol', ['Device journal of locations', 'Device notes'])).toEqual(['Device journal of locations']);
    expect(found('tgas')).toEqual(['Tag: assign to devices']);
    expect(found('zz')).toEqual([]);
  });

  it('puts initials, words and prefixes first', () => {
    expect(found('wc')[0]).toBe('Webhook: create');
    expect(found('sl')[0]).toBe('Device: set lifecycle');
    expect(found('dev')[0]).toBe('Device: edit notes');
    expect(found('create tag')[0]).toBe('Tag: create');
  });

  it('reads past accents and case', () => {
    expect(found('ostra', ['Østra', 'Östra fält', 'Other'])).toEqual(['Östra fält']);
    expect(found('NORTH', ['North field'])).toEqual(['North field']);
  });

  it('marks what matched, at the starts of words where it can', () => {
    expect(marked('Device: set lifecycle', 'sl')).toBe('........s...l........');
    expect(marked('Needs visit', 'needs v')).toBe('Needs.v....');
    expect(marked('Tag: create', 'create tag')).toBe('Tag..create');
  });
});

const words = fc.array(fc.string({ unit: fc.constantFrom(...'abcdeAB :-é7'), minLength: 1, maxLength: 9 }), {
  maxLength: 6,
});

describe('for any text', () => {
  it('finds whatever is left when letters are dropped', () => {
    fc.assert(
      fc.property(words, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (parts, kept) => {
        const text = parts.join(' ');
        const query = [...text].filter((_, index) => kept[index]).join('');
        expect(scoreOf(candidate(text), needle(query))).toBeDefined();
      }),
    );
  });

  it('gives the same whether the query grew or was typed at once', () => {
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 20 }),
        fc.string({ unit: fc.constantFrom(...'abce 7'), maxLength: 8 }),
        (lists, query) => {
          const candidates = lists.map((parts) => candidate(parts.join(' ')));
          const growing = createSearcher(candidates);
          for (let at = 0; at < query.length; at++) growing.search(query.slice(0, at), 5);
          expect(growing.search(query, 5)).toEqual(createSearcher(candidates).search(query, 5));
        },
      ),
    );
  });
});

it('looks at no candidate again that a shorter query ruled out', () => {
  const all = Array.from({ length: 1000 }, (_, index) =>
    candidate(index % 10 === 0 ? `webhook ${index}` : `device ${index}`),
  );
  let looks = 0;
  const counted = all.map((candidate) => ({
    ...candidate,
    get mask() {
      looks++;
      return candidate.mask;
    },
  }));
  const searcher = createSearcher(counted);
  searcher.search('w', 5);
  const first = looks;
  searcher.search('we', 5);
  expect(first).toBeGreaterThanOrEqual(1000);
  expect(looks - first).toBeLessThanOrEqual(100 + 5);
});

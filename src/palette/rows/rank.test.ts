import { describe, expect, test } from 'vitest';

import { inTier, TIER, type Tier } from '#commands/text/score.ts';

import { rank, type SearchResult, type ResultKind } from './rank.ts';

function result(
  kind: ResultKind,
  tier: Tier,
  overrides: Partial<SearchResult> & { readonly reason?: string } = {},
): SearchResult {
  const { reason, ...fields } = overrides;
  const id = `${kind} ${tier}${reason === undefined ? '' : ' disabled'}${fields.isLate ? ' late' : ''}`;
  return {
    kind,
    row: { id, label: id, ...(reason === undefined ? {} : { reason }) },
    score: inTier(tier, 0),
    ...fields,
  };
}

const ids = (results: readonly SearchResult[], query = 'stl') => rank(results, query).map(({ id }) => id);

test('ranks an exactly named item before commands, and commands before partial matches', () => {
  expect(
    ids([
      result('command', TIER.exact),
      result('item', TIER.words),
      result('command', TIER.words),
      result('item', TIER.exact),
      result('command', TIER.start),
    ]),
  ).toEqual(['item 7', 'command 7', 'command 6', 'command 5', 'item 5']);
});

test.each<[string, Tier, readonly ResultKind[]]>([
  ['exact matches', TIER.exact, ['item', 'view', 'command', 'value', 'object']],
  ['matches of words', TIER.words, ['command', 'value', 'view', 'object', 'item']],
])('orders %s by kind', (_case, tier, kinds) => {
  const results = kinds.map((kind) => result(kind, tier));
  const expected = kinds.map((kind) => `${kind} ${tier}`);
  expect([ids(results), ids(results.toReversed())]).toEqual([expected, expected]);
});

test('ranks the better match first among results of the same kind', () => {
  const better = result('item', TIER.words, { row: { id: 'better', label: '' }, score: inTier(TIER.words, 3) });
  const worse = result('item', TIER.words);
  expect([ids([worse, better]), ids([better, worse])]).toEqual([
    ['better', 'item 5'],
    ['better', 'item 5'],
  ]);
});

test('hides scattered matches if there are better matches and ranks unavailable rows last', () => {
  const scattered = result('command', TIER.scattered);
  expect(ids([scattered, result('item', TIER.inside)])).toEqual(['item 2']);
  expect(ids([scattered])).toEqual(['command 1']);
  expect(ids([result('command', TIER.exact, { reason: 'no' }), result('item', TIER.inside)])).toEqual([
    'item 2',
    'command 7 disabled',
  ]);
});

test('ignores the order in which results arrive, but lists late results last', () => {
  const results = [
    result('item', TIER.exact, { isLate: true }),
    result('command', TIER.inside),
    result('view', TIER.start),
  ];
  expect(ids(results)).toEqual(['view 6', 'command 2', 'item 7 late']);
  expect(ids(results.toReversed())).toEqual(ids(results));
});

describe('the filter row', () => {
  const filter: SearchResult = { kind: 'filter', row: { id: 'filter', label: 'filter' }, score: 0 };

  test('follows the matches of a word, and scattered matches of an abbreviation', () => {
    expect(ids([filter, result('command', TIER.inside)], 'pump')).toEqual(['command 2', 'filter']);
    expect(ids([filter, result('command', TIER.scattered)], 'stl')).toEqual(['command 1', 'filter']);
  });

  test('precedes scattered matches of a word, because they would run an unrelated command', () => {
    expect(ids([filter, result('command', TIER.scattered)], 'pump')).toEqual(['filter', 'command 1']);
  });

  test('stays first when a better match arrives late', () => {
    const lateResult = result('item', TIER.start, { isLate: true });
    expect(ids([filter, lateResult, result('command', TIER.scattered)], 'pump')).toEqual([
      'filter',
      'command 1',
      'item 6 late',
    ]);
  });
});

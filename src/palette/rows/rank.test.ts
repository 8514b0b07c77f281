import { expect, it } from 'vitest';

import { inTier, TIER, type Tier } from '#commands/text/score.ts';

import { rank, type Found, type FoundKind } from './rank.ts';

function found(kind: FoundKind, tier: Tier, more: Partial<Found> & { readonly reason?: string } = {}): Found {
  const { reason, ...rest } = more;
  const id = `${kind} ${tier}${reason === undefined ? '' : ' disabled'}${rest.late ? ' late' : ''}`;
  return { kind, row: { id, label: id, ...(reason === undefined ? {} : { reason }) }, score: inTier(tier, 0), ...rest };
}

const ids = (all: readonly Found[]) => rank(all).map(({ id }) => id);

it('puts a thing that is named in full before commands, and commands before things that match in part', () => {
  expect(
    ids([
      found('command', TIER.exact),
      found('item', TIER.words),
      found('command', TIER.words),
      found('item', TIER.exact),
      found('command', TIER.start),
    ]),
  ).toEqual(['item 7', 'command 7', 'command 6', 'command 5', 'item 5']);
});

it('leaves scattered letters out where anything matches better, and what cannot be done last', () => {
  const scattered = found('command', TIER.scattered);
  expect(ids([scattered, found('item', TIER.inside)])).toEqual(['item 2']);
  expect(ids([scattered])).toEqual(['command 1']);
  expect(ids([found('command', TIER.exact, { reason: 'no' }), found('item', TIER.inside)])).toEqual([
    'item 2',
    'command 7 disabled',
  ]);
});

it('is the same in whatever order things were found, and what came late stands below', () => {
  const all = [found('item', TIER.exact, { late: true }), found('command', TIER.inside), found('view', TIER.start)];
  expect(ids(all)).toEqual(['view 6', 'command 2', 'item 7 late']);
  expect(ids(all.toReversed())).toEqual(ids(all));
});

it('offers to filter by it at the very end', () => {
  expect(
    ids([{ kind: 'filter', row: { id: 'filter', label: 'filter' }, score: 0 }, found('command', TIER.scattered)]),
  ).toEqual(['command 1', 'filter']);
});

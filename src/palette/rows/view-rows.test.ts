import { describe, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';

import { context, createListing, createTools } from './testkit/listing.ts';
import { searchViews } from './view-rows.ts';

const withoutAbility = (ability: string): Context => ({
  ...context,
  actor: { ...context.actor, abilities: new Set([...context.actor.abilities].filter((name) => name !== ability)) },
});

describe('views', () => {
  const words = (_language: string, entity: string, key: string) =>
    entity === 'gadget' && key === 'viewWords.broken' ? 'defect' : undefined;
  const foundIds = (query: string, searchContext = context) =>
    searchViews(query, createListing({ words, context: searchContext })).map(({ row }) => row.id);

  test('match by name, by synonym, and together with words from their screen', () => {
    for (const query of ['order', 'out of', 'defect', 'gadgets defect', 'screen order'])
      expect([query, foundIds(query)]).toEqual([query, ['view gadget broken']]);
    expect([foundIds('gadgets'), foundIds('all'), foundIds('xyz')]).toEqual([[], [], []]);
  });

  test('open the list with their filter, and mark only letters of the name', () => {
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

  test('are offered only for lists that exist and that the user can open', () => {
    expect(foundIds('weary')).toEqual([]);
    const registry = createTools();
    const list = registry.command('gadget.list')!;
    const registryWithList = {
      ...registry,
      command: (id: string) => (id === 'crew.list' ? { ...list, id } : undefined),
    };
    const [view] = searchViews('weary', createListing({ registry: registryWithList as typeof registry }));
    expect(view?.row).toMatchObject({ label: 'Weary', detail: 'screen:crew.title', invocation: { id: 'crew.list' } });
    expect(foundIds('order', withoutAbility('VIEW_DEVICES'))).toEqual([]);
  });
});

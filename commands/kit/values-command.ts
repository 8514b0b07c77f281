import type { Ability } from '#commands/model/ability.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { AnyEntity, Entity } from '#commands/model/entity.ts';
import { p } from '#commands/model/params.ts';
import type { ValueOwner } from '#commands/model/values.ts';

import { LETTERS } from './letters.ts';

interface ValuesSpec<Item> {
  readonly entity: Entity<Item>;
  /** The name of the param for the item. */
  readonly target: string;
  readonly requires: Ability;
  readonly ownerOf: (item: Item) => ValueOwner;
}

/** Declares a command that charts an item's values. */
export function valuesCommand<Item>({ entity, target, requires, ownerOf }: ValuesSpec<Item>): Command {
  return command({
    id: `${entity.name}.values`,
    on: () => entity as unknown as AnyEntity,
    requires,
    effect: 'navigate',
    needs: ['panel'],
    keys: [LETTERS.values],
    params: { [target]: p.many(() => entity), field: p.words(), range: p.range() },
    positional: [target],
    ...(entity.example ? { example: { [target]: { named: entity.example.name } } } : {}),
    run: async (context, args) => {
      const { items } = args[target] as { readonly items: readonly Item[] };
      // Loaded on first use, so a list of items does not wait for it.
      const { showChart } = await import('./value-chart.ts');
      const { field, range } = args as { field?: readonly string[]; range?: { start: string; end: string } };
      await showChart(context, items.map(ownerOf), field, range);
      return {};
    },
  });
}

import type { AnyEntity, Entity } from '#commands/model/entity.ts';
import type { CompiledFilter } from '#commands/model/list.ts';

import type { ParsedFilter } from './parse.ts';

// Most lists are first shown without a filter, and need neither the parser nor the compiler for that.

/** The same as parsing an empty text. */
export function noFilter(entity: AnyEntity): ParsedFilter {
  return { entity, text: '', filter: { terms: [], words: [], sort: [] }, problems: [], tokens: [] };
}

/** Selects every item, in the entity's default order. */
export function selectEverything<Item, Selection>(entity: Entity<Item, Selection>): CompiledFilter<Selection> {
  return {
    selection: entity.emptySelection(),
    sort: entity.defaultSort === undefined ? [] : [entity.defaultSort],
  };
}

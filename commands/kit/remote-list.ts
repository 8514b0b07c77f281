import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { allOf, inParts, windowOf, type Load } from '#commands/run/paging.ts';

/** How pages of a selection are asked for, in an order of `Entity.sorts`; the usual one where none is given. */
type LoadSelected<Item, Selection> = (context: Context, selection: Selection, sort?: readonly string[]) => Load<Item>;

interface Remote<Item, Selection> {
  readonly load: LoadSelected<Item, Selection>;
  /** The selection of what matches a text; the empty one selects everything. */
  readonly searching: (text: string) => Selection;
  /** The order of what a search finds. */
  readonly order?: readonly string[];
}

/** A list that the contract gives in pages, and searches. */
export function remoteList<Item, Selection>({
  load,
  searching,
  order,
}: Remote<Item, Selection>): Pick<Entity<Item, Selection>, 'list' | 'search'> {
  return {
    list: (context, { selection, sort }, window) => windowOf(window, load(context, selection, sort)),
    search: async (context, text, limit) => (await load(context, searching(text.trim()), order)({ size: limit })).items,
  };
}

/** Looks items up by id, however many, where the contract selects them by id. */
export function remoteByIds<Item, Selection>(
  load: LoadSelected<Item, Selection>,
  withIds: (ids: readonly string[]) => Selection,
): Entity<Item>['byIds'] {
  return (context, ids) => inParts(ids, (part) => allOf(load(context, withIds(part))));
}

import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { Page, Window } from '#commands/model/list.ts';
import { matching } from './filter-keys.ts';

/** One window of a list that the contract gives whole. */
export function pageOf<Item>(all: readonly Item[], { page, size }: Window): Page<Item> {
  return { items: all.slice(page * size, (page + 1) * size), total: all.length };
}

interface Named<Item> {
  /** Every item there is, from what is kept where they seldom change. */
  readonly every: (context: Context) => Promise<readonly Item[]>;
  readonly id: (item: Item) => string;
  readonly name: (item: Item) => string | undefined;
  /** What is searched in, where that is more than the name. */
  readonly text?: (item: Item) => string;
}

/** How items are looked up where the contract gives all of them and selects none by id or name. */
export function localLookups<Item>({
  every,
  id,
  name,
  text = (item) => name(item) ?? '',
}: Named<Item>): Pick<Entity<Item>, 'byIds' | 'find' | 'search'> {
  return {
    byIds: async (context, ids) => (await every(context)).filter((item) => ids.includes(id(item))),
    find: async (context, typed) => {
      const wanted = typed.trim();
      const lower = wanted.toLocaleLowerCase();
      // Names may be shared or be the id of another, so what is called exactly so goes before what nearly is.
      const means: readonly ((item: Item) => boolean)[] = [
        (item) => `#${id(item)}` === wanted,
        (item) => name(item) === wanted,
        (item) => id(item) === wanted,
        (item) => [id(item), name(item)].some((value) => value?.toLocaleLowerCase() === lower),
      ];
      const all = await every(context);
      return means.map((is) => all.filter(is)).find((found) => found.length > 0) ?? [];
    },
    search: async (context, typed, limit) => matching(await every(context), typed, text).slice(0, limit),
  };
}

import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { Page, Window } from '#commands/model/list.ts';

import { stripIdPrefix } from './filter-keys.ts';
import { findMatches } from './matching.ts';

/** Returns one page of a list that the contract returns without pagination. */
export function slicePage<Item>(items: readonly Item[], { page, size }: Window): Page<Item> {
  return { items: items.slice(page * size, (page + 1) * size), total: items.length };
}

interface LocalList<Item> {
  /** All items, from the cache if they rarely change. */
  readonly loadAll: (context: Context) => Promise<readonly Item[]>;
  readonly id: (item: Item) => string;
  readonly name: (item: Item) => string | undefined;
  /** The text to search, if it is more than the name. */
  readonly text?: (item: Item) => string;
}

/** Implements the lookups for an entity whose list rpc returns all items and can't select them by id or name. */
export function localLookups<Item>({
  loadAll,
  id,
  name,
  text = (item) => name(item) ?? '',
}: LocalList<Item>): Pick<Entity<Item>, 'byIds' | 'find' | 'search'> {
  return {
    byIds: async (context, ids) => (await loadAll(context)).filter((item) => ids.includes(id(item))),
    find: async (context, input) => {
      const trimmed = input.trim();
      const lower = trimmed.toLocaleLowerCase();
      // Names need not be unique, and can equal the id of another item, so try the most exact match first.
      const matchers: readonly ((item: Item) => boolean)[] = [
        (item) => `#${id(item)}` === trimmed,
        (item) => name(item) === trimmed,
        (item) => id(item) === trimmed,
        (item) => [id(item), name(item)].some((value) => value?.toLocaleLowerCase() === lower),
      ];
      const candidates = await loadAll(context);
      return matchers.map((matches) => candidates.filter(matches)).find((items) => items.length > 0) ?? [];
    },
    search: async (context, input, limit) => {
      const candidates = await loadAll(context);
      const idMatches = candidates.filter((item) => id(item) === stripIdPrefix(input.trim()));
      const textMatches = await findMatches(candidates, input, text);
      return [...new Set([...idMatches, ...textMatches])].slice(0, limit);
    },
  };
}

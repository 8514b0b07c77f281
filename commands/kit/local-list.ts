import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { Page, Window } from '#commands/model/list.ts';
import { groupBy } from '#commands/text/group-by.ts';

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
}: LocalList<Item>): Pick<Entity<Item>, 'byIds' | 'find' | 'search'> & Required<Pick<Entity<Item>, 'findMany'>> {
  // Names need not be unique, and can equal the id of another item, so try the most exact match first.
  const namesOf = (item: Item): readonly string[] => [name(item) ?? []].flat();
  const readers: readonly (readonly [keysOf: (item: Item) => readonly string[], fold: (text: string) => string])[] = [
    [(item) => [`#${id(item)}`], (text) => text],
    [namesOf, (text) => text],
    [(item) => [id(item)], (text) => text],
    [(item) => [id(item), ...namesOf(item)], (text) => text.toLocaleLowerCase()],
  ];
  const matcher = (items: readonly Item[]): ((input: string) => readonly Item[]) => {
    const indexes = readers.map(([keysOf, fold]) => {
      const entries = items.flatMap((item) => [...new Set(keysOf(item).map(fold))].map((key) => [key, item] as const));
      return { index: groupBy(entries, ([key]) => key), fold };
    });
    return (input) => {
      const trimmed = input.trim();
      const matches = indexes.map(({ index, fold }) => index.get(fold(trimmed)) ?? []);
      return (matches.find((entries) => entries.length > 0) ?? []).map(([, item]) => item);
    };
  };
  const findMany = async (context: Context, inputs: readonly string[]) => {
    const matchesOf = matcher(await loadAll(context));
    return new Map(inputs.map((input) => [input, matchesOf(input)]));
  };
  return {
    byIds: async (context, ids) => {
      const wanted = new Set(ids);
      return (await loadAll(context)).filter((item) => wanted.has(id(item)));
    },
    find: async (context, input) => (await findMany(context, [input])).get(input) ?? [],
    findMany,
    search: async (context, input, limit) => {
      const candidates = await loadAll(context);
      const idMatches = candidates.filter((item) => id(item) === stripIdPrefix(input.trim()));
      const textMatches = await findMatches(candidates, input, text);
      return [...new Set([...idMatches, ...textMatches])].slice(0, limit);
    },
  };
}

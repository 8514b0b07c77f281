import type { AnyEntity } from '#commands/model/entity.ts';
import type { FilterKey } from '#commands/model/filter.ts';

import { matchOption } from './values.ts';

/** Keys that mean the same for every entity. An entity supports each only if it declares sorts, groups, or views. */
export const RESERVED = { sort: 'sort', group: 'group', view: 'view' } as const;

/** Returns an entity's filter keys, in the order that messages use. */
export function filterKeys(entity: AnyEntity): readonly string[] {
  return [
    ...Object.keys(entity.filter),
    ...(entity.sorts.length > 0 ? [RESERVED.sort] : []),
    ...(entity.groups?.length ? [RESERVED.group] : []),
    ...(entity.views?.length ? [RESERVED.view] : []),
  ];
}

/** Other names for `sort:`. */
const SORT_KEYS: ReadonlySet<string> = new Set([
  'order',
  'orderby',
  'order-by',
  'order_by',
  'sortby',
  'sort-by',
  'sort_by',
]);

/** Finds the sort for a typed name or alias. An alias can reverse the direction. */
export function findSort(entity: AnyEntity, typedName: string): string | undefined {
  const sign = typedName.startsWith('-') ? '-' : '';
  const unsigned = typedName.slice(sign.length);
  const names = entity.sorts.filter((sort) => !sort.startsWith('-'));
  const name = matchOption(unsigned, names) ?? entity.sortAliases?.[unsigned.toLowerCase()];
  if (name === undefined) return undefined;
  if (!name.startsWith('-')) return `${sign}${name}`;
  return sign ? name.slice(1) : name;
}

/** Finds the key for a typed name or alias, ignoring case. Reserved keys have no `key` in the result. */
export function findKey(
  entity: AnyEntity,
  typedName: string,
): { readonly name: string; readonly key?: FilterKey<unknown> } | undefined {
  const lower = typedName.toLowerCase();
  const name =
    filterKeys(entity).find((value) => value.toLowerCase() === lower) ??
    Object.keys(entity.filter).find((value) => entity.filter[value]?.aliases?.includes(lower));
  if (name === undefined) return SORT_KEYS.has(lower) && entity.sorts.length > 0 ? { name: RESERVED.sort } : undefined;
  const key = Object.hasOwn(entity.filter, name) ? entity.filter[name] : undefined;
  return key ? { name, key } : { name };
}

/** Keys that users try for a text search, as in `name:pump`, even if the entity doesn't declare them. */
export const SEARCH_KEYS: ReadonlySet<string> = new Set(['name', 'text', 'search', 'title', 'label', 'description']);

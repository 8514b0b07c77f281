import type { AnyEntity } from '#commands/model/entity.ts';
import type { FilterKey } from '#commands/model/filter.ts';
import { matchOption } from './values.ts';

/** Keys that every entity has; `group` and `view` only where the entity offers them. */
export const RESERVED = { sort: 'sort', group: 'group', view: 'view' } as const;

/** The keys an entity's filter takes, as a sentence lists them. */
export function filterKeys(entity: AnyEntity): readonly string[] {
  return [
    ...Object.keys(entity.filter),
    ...(entity.sorts.length > 0 ? [RESERVED.sort] : []),
    ...(entity.groups?.length ? [RESERVED.group] : []),
    ...(entity.views?.length ? [RESERVED.view] : []),
  ];
}

/** The sort that a text names, by its own name or by another word for it, which may be for the other way round. */
export function sortNamed(entity: AnyEntity, typed: string): string | undefined {
  const descending = typed.startsWith('-') ? '-' : '';
  const wanted = typed.slice(descending.length);
  const names = entity.sorts.filter((sort) => !sort.startsWith('-'));
  const name = matchOption(wanted, names) ?? entity.sortAliases?.[wanted.toLowerCase()];
  if (name === undefined) return undefined;
  if (!name.startsWith('-')) return `${descending}${name}`;
  return descending ? name.slice(1) : name;
}

/**
 * The key that a text names, in any case or by another word for it; `key` is absent for those that every entity has.
 */
export function keyNamed(
  entity: AnyEntity,
  typed: string,
): { readonly name: string; readonly key?: FilterKey<unknown> } | undefined {
  const wanted = typed.toLowerCase();
  const name =
    filterKeys(entity).find((value) => value.toLowerCase() === wanted) ??
    Object.keys(entity.filter).find((value) => entity.filter[value]?.aliases?.includes(wanted));
  if (name === undefined) return undefined;
  const key = Object.hasOwn(entity.filter, name) ? entity.filter[name] : undefined;
  return key ? { name, key } : { name };
}

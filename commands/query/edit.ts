import type { Filter } from '#commands/model/filter.ts';

import type { ParsedFilter } from './parse.ts';
import { printFilter } from './print.ts';

function editText({ filter }: ParsedFilter, change: (filter: Filter) => Filter): string {
  return printFilter(change(filter));
}

/**
 * Cycles a column's sort through ascending, descending, and none, as a click on its heading does. Starts with
 * descending if the list is ascending by default. With `add`, keeps the sorts of other columns. Returns canonical text.
 */
export function cycleSort(parsed: ParsedFilter, name: string, add = false): string {
  const { entity } = parsed;
  return editText(parsed, (filter) => {
    const descending = `-${name}`;
    const isAscending = filter.sort.length === 0 ? entity.defaultSort === name : filter.sort.includes(name);
    const next = isAscending ? [descending] : filter.sort.includes(descending) ? [] : [name];
    if (!add) return { ...filter, sort: next };
    const index = filter.sort.findIndex((value) => value === name || value === descending);
    return { ...filter, sort: index < 0 ? [...filter.sort, ...next] : filter.sort.toSpliced(index, 1, ...next) };
  });
}

/** Replaces the sort of a filter. Returns canonical text. */
export function withSort(parsed: ParsedFilter, sort: readonly string[]): string {
  return editText(parsed, (filter) => ({ ...filter, sort }));
}

/** Returns the canonical text of a filter, without its invalid parts. */
export function canonicalText({ filter }: ParsedFilter): string {
  return printFilter(filter);
}

/**
 * Returns the canonical text of the filter with the given items excluded. Excludes nothing if the entity has no
 * `idKey`.
 */
export function withoutIds(parsed: ParsedFilter, ids: readonly string[]): string {
  const key = parsed.entity.idKey;
  if (ids.length === 0 || key === undefined) return canonicalText(parsed);
  return editText(parsed, (filter) => {
    const exclusion = filter.terms.find((term) => term.key === key && term.negated && 'values' in term.test);
    const values = [...(exclusion && 'values' in exclusion.test ? exclusion.test.values : []), ...ids];
    return {
      ...filter,
      terms: [...filter.terms.filter((term) => term !== exclusion), { key, negated: true, test: { values } }],
    };
  });
}

/**
 * Returns the canonical text of a filter that matches only the given items and keeps the sort. Returns undefined if the
 * entity has no `idKey`.
 */
export function onlyIds(parsed: ParsedFilter, ids: readonly string[]): string | undefined {
  const key = parsed.entity.idKey;
  if (key === undefined) return undefined;
  return editText(parsed, (filter) => ({
    ...filter,
    words: [],
    terms: [{ key, negated: false, test: { values: ids } }],
  }));
}

/** Returns the filter's sort or the entity's default sort, with the highest priority first. */
export function sortOf({
  entity,
  filter: { sort },
}: ParsedFilter): readonly { readonly name: string; readonly descending: boolean }[] {
  const defaults = entity.defaultSort === undefined ? [] : [entity.defaultSort];
  return (sort.length > 0 ? sort : defaults).map((value) => ({
    name: value.replace(/^-/, ''),
    descending: value.startsWith('-'),
  }));
}

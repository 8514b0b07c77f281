import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { searchableEntities } from '#src/search/item-rows.ts';

import { commandSource, type CommandListing } from './command-rows.ts';
import { filterRow } from './filter-row.ts';
import { itemSource, type Source } from './item-source.ts';
import { objectSources } from './object-source.ts';
import type { Scope } from './prefixes.ts';
import type { SearchResult } from './rank.ts';
import { toSearchRow, type SearchRow } from './search-rows.ts';
import { searchValues } from './value-rows.ts';
import { searchViews } from './view-rows.ts';

/** True if a query is too long to search for. Text pasted by mistake would match nothing and keep the page busy. */
export function isTooLong({ query }: Scope): boolean {
  return query.length > MAX_LENGTH.search;
}

/** Returns the results that are available immediately: commands, choice values, and views. */
export function immediateResults(
  { query, commands, entities }: Scope,
  onlyApplicable: boolean,
  listing: CommandListing,
  source = commandSource(listing),
): readonly SearchResult<SearchRow>[] {
  if (query === '' || !commands) return [];
  const results: readonly SearchResult<SearchRow>[] = [
    ...source.search(query, onlyApplicable).map((result) => ({ ...result, row: toSearchRow(result.row) })),
    ...searchValues(query, listing),
  ];
  // The search is limited to commands or to the selection.
  if (onlyApplicable || entities !== undefined) return results;
  return [...results, ...searchViews(query, listing), ...filterRow(query, listing)];
}

/** Returns the sources that need requests: each entity's items, and the objects for verbs. */
export function asyncSources(
  { query, commands, entities, id }: Scope,
  onlyApplicable: boolean,
  listing: CommandListing,
): readonly Source[] {
  if (onlyApplicable || (query === '' && entities === undefined)) return [];
  const { registry, context, translate } = listing;
  const items = searchableEntities(registry, context).flatMap((entity) => {
    const isInScope = entities?.includes(entity.name) ?? true;
    const text = isInScope ? query : id !== undefined && entity.isId(id) ? id : undefined;
    return text === undefined ? [] : (itemSource(entity, text, registry, context, translate) ?? []);
  });
  return commands && entities === undefined ? [...items, ...objectSources(query, listing)] : items;
}

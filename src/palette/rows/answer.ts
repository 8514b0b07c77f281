import { LONGEST } from '#commands/text/lengths.ts';

import { commandSource, type CommandListing } from './command-rows.ts';
import { filterRow } from './filter-row.ts';
import { itemSource, type Source } from './item-source.ts';
import { searchable } from '#src/search/item-rows.ts';
import { objectSources } from './object-source.ts';
import type { Scope } from './prefixes.ts';
import type { Found } from './rank.ts';
import { fromCommand, type SearchRow } from './search-rows.ts';
import { searchValues } from './value-rows.ts';
import { searchViews } from './view-rows.ts';

/** What was pasted by mistake is no search: it would find nothing, and keep the page busy over it. */
export function isTooLong({ query }: Scope): boolean {
  return query.length > LONGEST.search;
}

/** What is known at once of what was typed: commands, values of choices, views. */
export function foundHere(
  { query, commands, entities }: Scope,
  narrowed: boolean,
  listing: CommandListing,
  source = commandSource(listing),
): readonly Found<SearchRow>[] {
  if (query === '' || !commands) return [];
  const found: readonly Found<SearchRow>[] = [
    ...source.search(query, narrowed).map((hit) => ({ ...hit, row: fromCommand(hit.row) })),
    ...searchValues(query, listing),
  ];
  // Narrowed to commands, or to what fits the selection.
  if (narrowed || entities !== undefined) return found;
  return [...found, ...searchViews(query, listing), ...filterRow(query, listing)];
}

/** What has to be asked for: items of each entity, and objects of verbs. */
export function sourcesOf(
  { query, commands, entities }: Scope,
  narrowed: boolean,
  listing: CommandListing,
): readonly Source[] {
  if (narrowed || (query === '' && entities === undefined)) return [];
  const { registry, context, say } = listing;
  const items = searchable(registry, context)
    .filter((entity) => entities?.includes(entity.name) ?? true)
    .flatMap((entity) => itemSource(entity, query, registry, context, say) ?? []);
  return commands && entities === undefined ? [...items, ...objectSources(query, listing)] : items;
}

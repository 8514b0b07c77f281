import { parseValue } from '#commands/line/line.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { mayOpen } from '#commands/registry/destinations.ts';

import type { CommandListing } from './command-rows.ts';
import type { SearchResult } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/**
 * Returns the row that filters by the query: the current list if searchable, else the first list that is. The row is
 * ranked last.
 */
export function filterRow(
  query: string,
  { registry, context, say, text }: CommandListing,
): readonly SearchResult<SearchRow>[] {
  const { actor, organization, focus } = context;
  const isSearchable = (entity: AnyEntity | undefined): entity is AnyEntity =>
    entity?.applySearch !== undefined &&
    entity.screen !== undefined &&
    registry.command(`${entity.name}.list`)?.params['filter']?.kind === 'query' &&
    mayOpen({ requires: entity.requires, features: entity.features ?? [] }, actor.abilities, organization.features);
  const focused = focus && registry.entity(focus.entity);
  const entity = isSearchable(focused) ? focused : registry.entities.find(isSearchable);
  const param = entity && registry.command(`${entity.name}.list`)?.params['filter'];
  if (!entity || !param) return [];
  const parsed = parseValue(param, query);
  if ('problem' in parsed || typeof parsed.value !== 'string') return [];
  const title = say(entity.screen?.title ?? entityTexts.title(entity));
  const row: SearchRow = {
    id: 'filter',
    label: text('palette.filter', { title, filter: query }),
    invocation: { id: `${entity.name}.list`, args: { filter: parsed.value } },
  };
  return [{ kind: 'filter', row, score: 0 }];
}

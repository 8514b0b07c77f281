import { parseValue } from '#commands/line/line.ts';
import { entityLabels } from '#commands/model/entity.ts';
import { mayOpen } from '#commands/registry/destinations.ts';

import type { CommandListing } from './command-rows.ts';
import type { SearchResult } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/**
 * Returns the row that filters a list by the query: the current list if it is searchable, or else the first list that
 * is. The row is ranked last.
 */
export function filterRow(
  query: string,
  { registry, context, translate, t }: CommandListing,
): readonly SearchResult<SearchRow>[] {
  const { actor, organization, focus } = context;
  const focusedEntity = focus && registry.entity(focus.entity);
  for (const entity of focusedEntity ? [focusedEntity, ...registry.entities] : registry.entities) {
    const { name, screen, requires, features = [] } = entity;
    const param = registry.command(`${name}.list`)?.params['filter'];
    if (!entity.applySearch || !screen || param?.kind !== 'query') continue;
    if (!mayOpen({ requires, features }, actor.abilities, organization.features)) continue;
    const parsed = parseValue(param, query);
    if ('problem' in parsed) return [];
    const title = translate(screen.title ?? entityLabels.title(entity));
    const row: SearchRow = {
      id: 'filter',
      label: t('palette.filter', { title, filter: query }),
      invocation: { id: `${name}.list`, args: { filter: parsed.value } },
    };
    return [{ kind: 'filter', row, score: 0 }];
  }
  return [];
}

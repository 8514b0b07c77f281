import { parseValue } from '#commands/line/line.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { mayOpen } from '#commands/registry/destinations.ts';

import type { CommandListing } from './command-rows.ts';
import type { Found } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/**
 * What was typed as a filter: of the list on the screen where that can be searched, else of the first one that can.
 * Below everything else.
 */
export function filterRow(
  query: string,
  { registry, context, say, text }: CommandListing,
): readonly Found<SearchRow>[] {
  const { actor, organization, focus } = context;
  const searchable = (entity: AnyEntity | undefined): entity is AnyEntity =>
    entity?.applySearch !== undefined &&
    entity.screen !== undefined &&
    registry.command(`${entity.name}.list`)?.params['filter']?.kind === 'query' &&
    mayOpen({ requires: entity.requires, features: entity.features ?? [] }, actor.abilities, organization.features);
  const focused = focus && registry.entity(focus.entity);
  const of = searchable(focused) ? focused : registry.entities.find(searchable);
  const param = of && registry.command(`${of.name}.list`)?.params['filter'];
  if (!of || !param) return [];
  const read = parseValue(param, query);
  if ('problem' in read || typeof read.value !== 'string') return [];
  const title = say(of.screen?.title ?? entityTexts.title(of));
  const row: SearchRow = {
    id: 'filter',
    label: text('palette.filter', { title, filter: query }),
    invocation: { id: `${of.name}.list`, args: { filter: read.value } },
  };
  return [{ kind: 'filter', row, score: 0 }];
}

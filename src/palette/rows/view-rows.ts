import { mayOpen } from '#commands/registry/destinations.ts';
import { entityTexts } from '#commands/model/entity.ts';
import { candidate } from '#commands/text/score.ts';

import type { CommandListing } from './command-rows.ts';
import { matchOwn } from './own-words.ts';
import type { Found } from './rank.ts';
import type { SearchRow } from './search-rows.ts';
import { viewSynonyms } from './words.ts';

/** The views above tables, by their names: `silent` goes to the devices that are. */
export function searchViews(query: string, listing: CommandListing): readonly Found<SearchRow>[] {
  const { registry, language, say, text, context } = listing;
  const { actor, organization } = context;
  return registry.entities.flatMap((entity) => {
    const { requires, features = [], views = [] } = entity;
    const open = registry.command(`${entity.name}.list`);
    if (!open || !mayOpen({ requires, features }, actor.abilities, organization.features)) return [];
    const title = say(entity.screen?.title ?? entityTexts.title(entity));
    const around = candidate(`${title}\n${entity.plural}`);
    return views.flatMap(({ id, filter }): readonly Found<SearchRow>[] => {
      // The one without a filter is what going to the screen shows.
      if (filter === '') return [];
      const label = say(entityTexts.view(entity, id));
      const found = matchOwn(candidate(label, viewSynonyms(entity.name, id, language)), around, query);
      if (!found) return [];
      const row: SearchRow = {
        id: `view ${entity.name} ${id}`,
        label,
        ranges: found.ranges.filter(([, to]) => to <= label.length),
        detail: title,
        kind: text('palette.kind.view'),
        invocation: { id: open.id, args: { filter } },
      };
      return [{ kind: 'view', row, score: found.score }];
    });
  });
}

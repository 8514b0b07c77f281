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
  return registry.entities.flatMap((of) => {
    const { requires, features = [], views = [] } = of;
    const open = registry.command(`${of.name}.list`);
    if (!open || !mayOpen({ requires, features }, actor.abilities, organization.features)) return [];
    const title = say(of.screen?.title ?? entityTexts.title(of));
    const around = candidate(`${title}\n${of.plural}`);
    return views.flatMap(({ id, filter }): readonly Found<SearchRow>[] => {
      // The one without a filter is what going to the screen shows.
      if (filter === '') return [];
      const label = say(entityTexts.view(of, id));
      const found = matchOwn(candidate(label, viewSynonyms(of.name, id, language)), around, query);
      if (!found) return [];
      const row: SearchRow = {
        id: `view ${of.name} ${id}`,
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

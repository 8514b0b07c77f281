import { entityLabels } from '#commands/model/entity.ts';
import { mayOpen } from '#commands/registry/destinations.ts';
import { candidate } from '#commands/text/score.ts';

import type { CommandListing } from './command-rows.ts';
import { matchInContext } from './match-in-context.ts';
import type { SearchResult } from './rank.ts';
import type { SearchRow } from './search-rows.ts';
import { viewSynonyms } from './synonyms.ts';

/** Finds views by name. For example, `silent` finds the view of silent devices. */
export function searchViews(query: string, listing: CommandListing): readonly SearchResult<SearchRow>[] {
  const { registry, language, translate, t, words, context } = listing;
  const { actor, organization } = context;
  return registry.entities.flatMap((entity) => {
    const { requires, features = [], views = [] } = entity;
    const listCommand = registry.command(`${entity.name}.list`);
    if (!listCommand || !mayOpen({ requires, features }, actor.abilities, organization.features)) return [];
    const title = translate(entity.screen?.title ?? entityLabels.title(entity));
    const contextCandidate = candidate(`${title}\n${entity.plural}`);
    return views.flatMap(({ id, filter }): readonly SearchResult<SearchRow>[] => {
      // The view without a filter is the screen itself.
      if (filter === '') return [];
      const label = translate(entityLabels.view(entity, id));
      const viewMatch = matchInContext(
        candidate(label, viewSynonyms(entity.name, id, language, words)),
        contextCandidate,
        query,
      );
      if (!viewMatch) return [];
      const row: SearchRow = {
        id: `view ${entity.name} ${id}`,
        label,
        ranges: viewMatch.ranges.filter(([, to]) => to <= label.length),
        detail: title,
        kind: t('palette.kind.view'),
        invocation: { id: listCommand.id, args: { filter } },
      };
      return [{ kind: 'view', row, score: viewMatch.score }];
    });
  });
}

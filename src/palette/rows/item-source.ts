import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Translate } from '#commands/text/message.ts';
import { inTier, match, needle, TIER, tierOf, type Match } from '#commands/text/score.ts';
import { weightsOf } from '#src/search/habits.ts';
import { findItems, itemCandidate, findOpenCommand } from '#src/search/item-rows.ts';

import type { SearchResult } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/**
 * A source of results that needs a request. `id` identifies results that the next query can reuse.
 */
export interface Source {
  readonly id: string;
  load(context: Context): Promise<readonly unknown[]>;
  /** `isCurrent` is false for items that were loaded for another query. Omits those that don't match this query. */
  rows(items: readonly unknown[], isCurrent: boolean): readonly SearchResult<SearchRow>[];
}

/** Maximum number of items per entity. */
const MAX_ITEMS = 20;
/** The weight of the user's habits when ranking items that match equally well. */
const HABIT = 2;

/** Creates a source for an entity's items. Returns undefined if no command opens them. */
export function itemSource(
  entity: AnyEntity,
  query: string,
  registry: Registry,
  context: Context,
  translate: Translate,
): Source | undefined {
  const opener = findOpenCommand(entity, registry);
  if (!opener) return undefined;
  const weights = weightsOf(context, entity.name);
  return {
    id: `items ${entity.name}`,
    load: (requestContext) => findItems(entity, query, MAX_ITEMS, requestContext),
    rows: (items, isCurrent) =>
      items.flatMap((item, index): readonly SearchResult<SearchRow>[] => {
        const itemMatch = matchItem(entity, item, query, translate);
        if (!isCurrent && !itemMatch) return [];
        const id = entity.id(item);
        const label = entity.label(item) || id;
        const row: SearchRow = {
          id: `${entity.name} ${id}`,
          label,
          ranges: itemMatch?.ranges.filter(([, to]) => to <= label.length) ?? [],
          ...itemLabels(entity, item, translate),
          invocation: { id: opener.command.id, args: { [opener.param]: id } },
          item: { entity: entity.name, id },
        };
        const habit = HABIT * Math.log2(1 + (weights.get(id) ?? 0));
        // Items with equal scores keep the server's order.
        return [{ kind: 'item', row, score: (itemMatch?.score ?? MATCHED_BY_SERVER) + habit - index / 1000 }];
      }),
  };
}

/** Returns what a row shows besides an item's name: its detail, such as an email address, and its kind. */
export function itemLabels(entity: AnyEntity, item: unknown, translate: Translate): Pick<SearchRow, 'detail' | 'kind'> {
  const detail = entity.detail?.(item);
  return {
    ...(detail === undefined ? {} : { detail: typeof detail === 'string' ? detail : translate(detail) }),
    kind: translate(entityLabels.one(entity)),
  };
}

/** The score of an item that the server matched by a property that is not shown. */
const MATCHED_BY_SERVER = inTier(TIER.inside, -100);

/** Matches an item by label, id, or detail. Returns undefined if the query only matches scattered letters. */
export function matchItem(entity: AnyEntity, item: unknown, query: string, translate: Translate): Match | undefined {
  if (query === '') return { score: MATCHED_BY_SERVER, ranges: [] };
  const normalized = entity.isId(query) ? entity.toId(query) : query;
  const matches = match(
    itemCandidate(entity, item, translate),
    needle(normalized === entity.id(item) ? normalized : query),
  );
  return matches && tierOf(matches.score) > TIER.scattered ? matches : undefined;
}

import type { Context } from '#commands/model/context.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import type { Translate } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { inTier, match, needle, TIER, tierOf, type Match } from '#commands/text/score.ts';

import { weightsOf } from '#src/search/habits.ts';
import { findItems, itemCandidate, openerOf } from '#src/search/item-rows.ts';
import type { Found } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/**
 * Something that has to be asked for what was typed. What an entity found for one query may fit the next: `id` names
 * what can be kept.
 */
export interface Source {
  readonly id: string;
  load(context: Context): Promise<readonly unknown[]>;
  /** `settled` is false for items that were found for another query: those that no longer fit are left out. */
  rows(items: readonly unknown[], settled: boolean): readonly Found<SearchRow>[];
}

/** Of each entity. */
const LIMIT = 20;
/** How far what somebody opens often is lifted above another one that fits alike. */
const HABIT = 2;

/** The items of an entity whose opener shows them. */
export function itemSource(
  entity: AnyEntity,
  query: string,
  registry: Registry,
  context: Context,
  say: Translate,
): Source | undefined {
  const opener = openerOf(entity, registry);
  if (!opener) return undefined;
  const weights = weightsOf(context, entity.name);
  const kind = say(entityTexts.one(entity));
  return {
    id: `items ${entity.name}`,
    load: (asking) => findItems(entity, query, LIMIT, asking),
    rows: (items, settled) =>
      items.flatMap((item, index): readonly Found<SearchRow>[] => {
        const found = matchItem(entity, item, query, say);
        if (!settled && !found) return [];
        const id = entity.id(item);
        const label = entity.label(item) || id;
        const detail = entity.detail?.(item);
        const row: SearchRow = {
          id: `${entity.name} ${id}`,
          label,
          ranges: found?.ranges.filter(([, to]) => to <= label.length) ?? [],
          ...(detail === undefined ? {} : { detail: typeof detail === 'string' ? detail : say(detail) }),
          kind,
          invocation: { id: opener.command.id, args: { [opener.param]: id } },
          item: { entity: entity.name, id },
        };
        const habit = HABIT * Math.log2(1 + (weights.get(id) ?? 0));
        // The server found it, if by something that is not shown; items that fit alike stay in the order it gave them.
        return [{ kind: 'item', row, score: (found?.score ?? FOUND_ELSEWHERE) + habit - index / 1000 }];
      }),
  };
}

const FOUND_ELSEWHERE = inTier(TIER.inside, -100);

/** How an item matches by its label, its id or its detail; undefined where letters are at best scattered over them. */
export function matchItem(entity: AnyEntity, item: unknown, query: string, say: Translate): Match | undefined {
  if (query === '') return { score: FOUND_ELSEWHERE, ranges: [] };
  const named = entity.isId(query) ? entity.toId(query) : query;
  const found = match(itemCandidate(entity, item, say), needle(named === entity.id(item) ? named : query));
  return found && tierOf(found.score) > TIER.scattered ? found : undefined;
}

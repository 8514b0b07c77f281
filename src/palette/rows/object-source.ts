import { availability, isHidden } from '#commands/run/availability.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { mayOpen } from '#commands/registry/destinations.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { inTier, needle, scoreOf, TIER, tierOf, withinTier } from '#commands/text/score.ts';

import { commandIndex } from './command-index.ts';
import type { CommandListing } from './command-rows.ts';
import { lineValues } from '#src/search/item-rows.ts';
import { matchItem, type Source } from './item-source.ts';
import type { Found } from './rank.ts';
import type { SearchRow } from './search-rows.ts';

/** Commands that the first words may mean; more would only be noise. */
const COMMANDS = 8;
/** Items of each entity. */
const ITEMS = 5;

// The command outweighs the item: what is meant by the verb stands together.
const BY_VERB = 500;
const BY_OBJECT = 50;

/** A command with the param that an item may be given for. */
interface Taker {
  readonly command: Command;
  readonly title: string;
  readonly param: string;
  /** How well the first words mean it. */
  readonly score: number;
}

/**
 * A verb and its object (`rename 831c`, `tag needs`): the first words name a command, the others an item that it
 * takes.
 */
export function objectSources(query: string, listing: CommandListing): readonly Source[] {
  const words = query.split(/\s+/).filter(Boolean);
  return words.slice(1).flatMap((_, index) => {
    const [verb, object] = [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')];
    const byEntity = takersOf(verb, listing);
    return [...byEntity].map(([of, takers]) => sourceOf(of, takers, object, query, listing));
  });
}

/** The commands that words mean, by the entity of what they take. */
function takersOf(verb: string, { registry, context, language, say }: CommandListing): Map<AnyEntity, Taker[]> {
  const { commands, titles, candidates } = commandIndex(registry, language, say);
  const typed = needle(verb);
  const meant = candidates
    .flatMap((candidate, place) => {
      const score = scoreOf(candidate, typed);
      const command = commands[place] as Command;
      if (score === undefined || tierOf(score) < TIER.words || isHidden(command, context)) return [];
      return [{ command, title: titles[place] ?? command.id, score }];
    })
    .filter(({ command }) => objectParams(command).length > 0 && availability(command, context).ok)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, COMMANDS);
  const found = new Map<AnyEntity, Taker[]>();
  for (const { command, title, score } of meant) {
    for (const { param, of } of objectParams(command)) {
      if (!mayBeSearched(of, context)) continue;
      found.set(of, [...(found.get(of) ?? []), { command, title, param, score }]);
    }
  }
  return found;
}

function objectParams(command: Command): readonly { readonly param: string; readonly of: AnyEntity }[] {
  return Object.entries(command.params).flatMap(([param, shape]) =>
    shape.kind === 'many' || (shape.kind === 'ref' && shape.required) ? [{ param, of: shape.entity() }] : [],
  );
}

function mayBeSearched({ requires, features = [] }: AnyEntity, { actor, organization }: Context): boolean {
  return mayOpen({ requires, features }, actor.abilities, organization.features);
}

function sourceOf(
  entity: AnyEntity,
  takers: readonly Taker[],
  object: string,
  query: string,
  { say }: CommandListing,
): Source {
  return {
    id: `objects ${entity.name} ${query} ${object}`,
    load: (context) => entity.search(context, object, ITEMS),
    rows: (items) => {
      const values = lineValues(entity, items);
      return items.flatMap((item, index) => {
        const fits = matchItem(entity, item, object, say);
        if (!fits) return [];
        return takers.map(({ command, title, param, score }): Found<SearchRow> => {
          const id = entity.id(item);
          const label = entity.label(item) || id;
          const isMany = command.params[param]?.kind === 'many';
          const value: ArgValue = isMany ? { ids: [id] } : (values[index] ?? id);
          const tier = tierOf(fits.score) >= TIER.words ? TIER.words : TIER.inside;
          return {
            kind: 'object',
            row: {
              id: `object ${command.id} ${param} ${id}`,
              label: `${title}: ${label}`,
              ...(label === id ? {} : { detail: id }),
              invocation: { id: command.id, args: { [param]: value } },
            },
            // The command that is meant best first, then the item that fits best.
            score: inTier(
              tier,
              tierOf(score) * BY_VERB + withinTier(score) + tierOf(fits.score) * BY_OBJECT - index / 1000,
            ),
          };
        });
      });
    },
  };
}

import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import { mayOpen } from '#commands/registry/destinations.ts';
import { availability } from '#commands/run/availability.ts';
import { inTier, needle, scoreOf, TIER, tierOf, withinTier } from '#commands/text/score.ts';
import { lineValues } from '#src/search/item-rows.ts';

import { commandIndex } from './command-index.ts';
import type { CommandListing } from './command-rows.ts';
import { itemLabels, matchItem, type Source } from './item-source.ts';
import type { SearchResult } from './rank.ts';
import type { SearchRow } from './search-rows.ts';
import { searchValues } from './value-rows.ts';

/** Maximum number of commands that the first words can match. More would be noise. */
const MAX_COMMANDS = 8;
/** Maximum number of items per entity. */
const MAX_ITEMS = 5;

// The command outweighs the item, so results for the same verb stay together.
const VERB_WEIGHT = 500;
const OBJECT_WEIGHT = 50;

/** A command that the first words match, optionally with the value of a choice. */
interface CommandMatch {
  readonly command: Command;
  readonly args: Args;
  /** The start of the row's label: the command's title and the separator before the item. */
  readonly title: string;
  /** How well the first words match the command. */
  readonly score: number;
}

/** A command with the param that accepts the item. */
interface ObjectCommand extends CommandMatch {
  readonly param: string;
}

/**
 * Creates the sources for a verb or a value with its object, such as `rename 831c`, `tag needs`, or `paused 831c`. The
 * first words name a command, and the remaining words name an item.
 */
export function objectSources(query: string, listing: CommandListing): readonly Source[] {
  const words = query.split(/\s+/);
  return words.slice(1).flatMap((_, index) => {
    const [verb, object] = [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')];
    const byEntity = objectCommandsFor(verb, listing);
    return [...byEntity].map(([entity, objectCommands]) =>
      createSource(entity, objectCommands, object, query, listing),
    );
  });
}

/** Returns the commands that match the words, by the entity of their items. */
function objectCommandsFor(verb: string, listing: CommandListing): Map<AnyEntity, ObjectCommand[]> {
  const { context } = listing;
  const { commands, titles, candidates } = commandIndex(listing);
  const pattern = needle(verb);
  const titleMatches = candidates.flatMap((candidate, index): readonly CommandMatch[] => {
    const score = scoreOf(candidate, pattern);
    const command = commands[index] as Command;
    if (score === undefined || tierOf(score) < TIER.words) return [];
    return [{ command, args: {}, title: `${titles[index] ?? command.id}: `, score }];
  });
  const commandMatches = [...titleMatches, ...findCommandsWithValue(verb, listing)]
    .filter(({ command }) => objectParams(command).length > 0 && availability(command, context).ok)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_COMMANDS);
  const byEntity = new Map<AnyEntity, ObjectCommand[]>();
  for (const { command, args, title, score } of commandMatches) {
    for (const { param, entity } of objectParams(command)) {
      if (!canSearch(entity, context)) continue;
      byEntity.set(entity, [...(byEntity.get(entity) ?? []), { command, args, title, param, score }]);
    }
  }
  return byEntity;
}

/** Returns the commands that have a choice with a matching value. */
function findCommandsWithValue(words: string, listing: CommandListing): readonly CommandMatch[] {
  return searchValues(words, listing).flatMap(({ row: { invocation, label, reason }, score }) => {
    const command = invocation && listing.registry.command(invocation.id);
    if (!command || reason !== undefined) return [];
    return [{ command, args: invocation.args, title: `${label} · `, score }];
  });
}

function objectParams(command: Command): readonly { readonly param: string; readonly entity: AnyEntity }[] {
  return Object.entries(command.params).flatMap(([param, shape]) =>
    shape.kind === 'many' || (shape.kind === 'ref' && shape.required) ? [{ param, entity: shape.entity() }] : [],
  );
}

function canSearch({ requires, features = [] }: AnyEntity, { actor, organization }: Context): boolean {
  return mayOpen({ requires, features }, actor.abilities, organization.features);
}

function createSource(
  entity: AnyEntity,
  objectCommands: readonly ObjectCommand[],
  object: string,
  query: string,
  { translate }: CommandListing,
): Source {
  return {
    id: `objects ${entity.name} ${query} ${object}`,
    load: (context) => entity.search(context, object, MAX_ITEMS),
    rows: (items) => {
      const values = lineValues(entity, items);
      return items.flatMap((item, index) => {
        const itemMatch = matchItem(entity, item, object, translate);
        if (!itemMatch) return [];
        return objectCommands.map(({ command, args, title, param, score }): SearchResult<SearchRow> => {
          const id = entity.id(item);
          const label = entity.label(item) || id;
          const isMany = command.params[param]?.kind === 'many';
          const value: ArgValue = isMany ? { ids: [id] } : (values[index] ?? id);
          const tier = tierOf(itemMatch.score) >= TIER.words ? TIER.words : TIER.inside;
          return {
            kind: 'object',
            row: {
              id: ['object', command.id, ...Object.values(args).map(String), param, id].join(' '),
              label: `${title}${label}`,
              ...itemLabels(entity, item, translate),
              invocation: { id: command.id, args: { ...args, [param]: value } },
            },
            // The best command first, then the best item.
            score: inTier(
              tier,
              tierOf(score) * VERB_WEIGHT + withinTier(score) + tierOf(itemMatch.score) * OBJECT_WEIGHT - index / 1000,
            ),
          };
        });
      });
    },
  };
}

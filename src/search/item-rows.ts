import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Translate } from '#commands/text/message.ts';
import { candidate, match, needle, type Candidate } from '#commands/text/score.ts';

import { recentIds } from './habits.ts';
import type { Row } from './rows.ts';

export interface ItemRow<Item = unknown> extends Row {
  readonly entity: AnyEntity;
  readonly item: Item;
}

/** Returns an item as a row of a list, with the matching letters marked. */
export function itemRow(entity: AnyEntity, item: unknown, query: string, translate: Translate): ItemRow {
  const label = entity.label(item) || entity.id(item);
  const detail = entity.detail?.(item);
  return {
    id: `${entity.name} ${entity.id(item)}`,
    entity,
    item,
    label,
    ranges: match(candidate(label), needle(query))?.ranges ?? [],
    ...(detail === undefined ? {} : { detail: typeof detail === 'string' ? detail : translate(detail) }),
  };
}

/** Returns the searchable text of an item: its label, id, and detail. */
export function itemCandidate(entity: AnyEntity, item: unknown, translate: Translate): Candidate {
  const detail = entity.detail?.(item);
  const detailText = detail === undefined || typeof detail === 'string' ? detail : translate(detail);
  return candidate([entity.label(item), entity.id(item), detailText].filter(Boolean).join('\n'));
}

/** Returns how a command line refers to each item: by name if it is unique among these items, else by id. */
export function lineValues(entity: AnyEntity, items: readonly unknown[]): readonly string[] {
  const labels = items.map((item) => entity.label(item).toLowerCase());
  return items.map((item, index) => {
    const label = entity.label(item);
    const isUnique = labels.indexOf(labels[index] ?? '') === labels.lastIndexOf(labels[index] ?? '');
    return label !== '' && isUnique && !entity.isId(label) ? label : entity.id(item);
  });
}

/**
 * Finds the command that opens an item of an entity (`device open`, `organization act-as`). It is the first command
 * that only navigates and takes a single item of the entity as its first argument.
 */
export function findOpenCommand(
  entity: AnyEntity,
  registry: Registry,
): { command: Command; param: string } | undefined {
  for (const command of registry.commands) {
    const [param] = command.positional;
    const declaration = param === undefined ? undefined : command.params[param];
    if (command.noun !== entity.name || command.effect !== 'navigate' || param === undefined) continue;
    if (declaration?.kind === 'ref' && declaration.entity().name === entity.name) return { command, param };
  }
  return undefined;
}

/** Returns the entities that the palette searches: those that the user can see and that a command can open. */
export function searchableEntities(registry: Registry, { actor, organization }: Context): readonly AnyEntity[] {
  return registry.entities.filter(
    (entity) =>
      (!entity.requires || actor.abilities.has(entity.requires)) &&
      (entity.features ?? []).every((feature) => organization.features.has(feature)) &&
      findOpenCommand(entity, registry) !== undefined,
  );
}

/** Finds items of an entity, best match first. If there is no query, recently used items come first. */
export async function findItems(
  entity: AnyEntity,
  query: string,
  limit: number,
  context: Context,
): Promise<readonly unknown[]> {
  if (query !== '') return entity.search(context, query, limit);
  const recentlyUsedIds = recentIds(context, entity.name, limit);
  const recentItems = recentlyUsedIds.length > 0 ? await entity.byIds(context, recentlyUsedIds) : [];
  const byId = new Map(recentItems.map((item) => [entity.id(item), item]));
  const recentFirst = recentlyUsedIds.flatMap((id) => byId.get(id) ?? []);
  const otherItems = await entity.search(context, '', limit);
  return [...recentFirst, ...otherItems.filter((item) => !byId.has(entity.id(item)))].slice(0, limit);
}

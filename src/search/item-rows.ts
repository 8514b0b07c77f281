import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Translate } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { candidate, match, needle, type Candidate } from '#commands/text/score.ts';

import { recentOf } from './habits.ts';
import type { Row } from './rows.ts';

export interface ItemRow<Item = unknown> extends Row {
  readonly entity: AnyEntity;
  readonly item: Item;
}

/** An item of an entity as a line of a list, the letters that matched marked. */
export function itemRow(entity: AnyEntity, item: unknown, query: string, say: Translate): ItemRow {
  const label = entity.label(item) || entity.id(item);
  const detail = entity.detail?.(item);
  return {
    id: `${entity.name} ${entity.id(item)}`,
    entity: entity,
    item,
    label,
    ranges: match(candidate(label), needle(query))?.ranges ?? [],
    ...(detail === undefined ? {} : { detail: typeof detail === 'string' ? detail : say(detail) }),
  };
}

/** What an item is found by: its label, its id, and its detail. */
export function itemCandidate(entity: AnyEntity, item: unknown, say: Translate): Candidate {
  const detail = entity.detail?.(item);
  const shown = detail === undefined || typeof detail === 'string' ? detail : say(detail);
  return candidate([entity.label(item), entity.id(item), shown].filter(Boolean).join('\n'));
}

/** What a line says for each of these items: the name where no other one of them has it, else the id. */
export function lineValues(entity: AnyEntity, items: readonly unknown[]): readonly string[] {
  const labels = items.map((item) => entity.label(item).toLowerCase());
  return items.map((item, index) => {
    const label = entity.label(item);
    const alone = labels.indexOf(labels[index] ?? '') === labels.lastIndexOf(labels[index] ?? '');
    return label !== '' && alone && !entity.isId(label) ? label : entity.id(item);
  });
}

/**
 * The command that goes to an item of an entity: the first that only looks and takes one item of it first (`device
 * open`, `organization act-as`).
 */
export function openerOf(entity: AnyEntity, registry: Registry): { command: Command; param: string } | undefined {
  for (const command of registry.commands) {
    const [param] = command.positional;
    const shape = param === undefined ? undefined : command.params[param];
    if (command.noun !== entity.name || command.effect !== 'navigate' || param === undefined) continue;
    if (shape?.kind === 'ref' && shape.entity().name === entity.name) return { command, param };
  }
  return undefined;
}

/** Entities whose items the palette finds: those that the person may see and that something can be gone to. */
export function searchable(registry: Registry, { actor, organization }: Context): readonly AnyEntity[] {
  return registry.entities.filter(
    (entity) =>
      (!entity.requires || actor.abilities.has(entity.requires)) &&
      (entity.features ?? []).every((feature) => organization.features.has(feature)) &&
      openerOf(entity, registry) !== undefined,
  );
}

/** Candidates of one entity, best first; those that were used last when nothing is typed. */
export async function findItems(
  entity: AnyEntity,
  query: string,
  limit: number,
  context: Context,
): Promise<readonly unknown[]> {
  if (query !== '') return entity.search(context, query, limit);
  const recent = recentOf(context, entity.name, limit);
  const known = recent.length > 0 ? await entity.byIds(context, recent) : [];
  const byId = new Map(known.map((item) => [entity.id(item), item]));
  const first = recent.flatMap((id) => byId.get(id) ?? []);
  const others = await entity.search(context, '', limit);
  return [...first, ...others.filter((item) => !byId.has(entity.id(item)))].slice(0, limit);
}

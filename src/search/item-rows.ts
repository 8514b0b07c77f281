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
export function itemRow(of: AnyEntity, item: unknown, query: string, say: Translate): ItemRow {
  const label = of.label(item) || of.id(item);
  const detail = of.detail?.(item);
  return {
    id: `${of.name} ${of.id(item)}`,
    entity: of,
    item,
    label,
    ranges: match(candidate(label), needle(query))?.ranges ?? [],
    ...(detail === undefined ? {} : { detail: typeof detail === 'string' ? detail : say(detail) }),
  };
}

/** What an item is found by: its label, its id, and its detail. */
export function itemCandidate(of: AnyEntity, item: unknown, say: Translate): Candidate {
  const detail = of.detail?.(item);
  const shown = detail === undefined || typeof detail === 'string' ? detail : say(detail);
  return candidate([of.label(item), of.id(item), shown].filter(Boolean).join('\n'));
}

/** What a line says for each of these items: the name where no other one of them has it, else the id. */
export function lineValues(of: AnyEntity, items: readonly unknown[]): readonly string[] {
  const labels = items.map((item) => of.label(item).toLowerCase());
  return items.map((item, at) => {
    const label = of.label(item);
    const alone = labels.indexOf(labels[at] ?? '') === labels.lastIndexOf(labels[at] ?? '');
    return label !== '' && alone && !of.isId(label) ? label : of.id(item);
  });
}

/**
 * The command that goes to an item of an entity: the first that only looks and takes one item of it first (`device
 * open`, `organization act-as`).
 */
export function openerOf(of: AnyEntity, registry: Registry): { command: Command; param: string } | undefined {
  for (const command of registry.commands) {
    const [param] = command.positional;
    const shape = param === undefined ? undefined : command.params[param];
    if (command.noun !== of.name || command.effect !== 'navigate' || param === undefined) continue;
    if (shape?.kind === 'ref' && shape.entity().name === of.name) return { command, param };
  }
  return undefined;
}

/** Entities whose items the palette finds: those that the person may see and that something can be gone to. */
export function searchable(registry: Registry, { actor, organization }: Context): readonly AnyEntity[] {
  return registry.entities.filter(
    (of) =>
      (!of.requires || actor.abilities.has(of.requires)) &&
      (of.features ?? []).every((feature) => organization.features.has(feature)) &&
      openerOf(of, registry) !== undefined,
  );
}

/** Candidates of one entity, best first; those that were used last when nothing is typed. */
export async function findItems(
  of: AnyEntity,
  query: string,
  limit: number,
  context: Context,
): Promise<readonly unknown[]> {
  if (query !== '') return of.search(context, query, limit);
  const recent = recentOf(context, of.name, limit);
  const known = recent.length > 0 ? await of.byIds(context, recent) : [];
  const byId = new Map(known.map((item) => [of.id(item), item]));
  const first = recent.flatMap((id) => byId.get(id) ?? []);
  const others = await of.search(context, '', limit);
  return [...first, ...others.filter((item) => !byId.has(of.id(item)))].slice(0, limit);
}

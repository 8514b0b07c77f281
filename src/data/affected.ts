import type { AnyEntity } from '#commands/model/entity.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

/** What an event makes out of date: one item of an entity, or without `id` everything kept under the name. */
export interface Affected {
  readonly name: string;
  readonly id?: string;
}

/**
 * Reference data comes before the entities that are shown with it, so that they are not read again with the old one.
 */
export function affectedBy(event: Event, entities: readonly AnyEntity[]): readonly Affected[] {
  const type = TYPE_NAMES.get(event.type);
  if (!type) return [];
  const references = entities.flatMap(({ name, references = {} }) => {
    const changed = Object.keys(references).filter((reference) => references[reference]?.includes(type));
    return changed.length > 0 ? [...changed, name] : [];
  });
  const items = entities.flatMap((entity): Affected[] => {
    if (!entity.changedBy?.includes(type)) return [];
    const id = entity.changedItem?.(event);
    return [id === undefined ? { name: entity.name } : { name: entity.name, id }];
  });
  return [...references.map((name) => ({ name })), ...items];
}

/** Everything that events can make out of date, in the same order. */
export function everythingOf(entities: readonly AnyEntity[]): readonly string[] {
  return [
    ...new Set(entities.flatMap(({ references = {} }) => Object.keys(references))),
    ...entities.map(({ name }) => name),
  ];
}

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(EventType).map(([name, value]) => [value, name]),
);

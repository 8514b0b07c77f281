import type { EntityMetadata } from '#commands/model/entity.ts';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';

/** The data that an event makes stale: one item of an entity or, without `id`, everything cached under the name. */
export interface Affected {
  readonly name: string;
  readonly id?: string;
}

/** Lists reference data before the entities that refer to it, which would otherwise reload with stale data. */
export function affectedBy(event: Event, entities: readonly EntityMetadata[]): readonly Affected[] {
  const type = TYPE_NAMES.get(event.type);
  if (!type) return [];
  const references = new Set(
    entities.flatMap(({ name, references = {} }) => {
      const changedReferences = Object.keys(references).filter((reference) => references[reference]?.includes(type));
      return changedReferences.length > 0 ? [...changedReferences, name] : [];
    }),
  );
  const items = entities.flatMap((entity): Affected[] => {
    if (!entity.changedBy?.includes(type)) return [];
    const id = entity.changedItem?.(event);
    return [id === undefined ? { name: entity.name } : { name: entity.name, id }];
  });
  return [...[...references].map((name) => ({ name })), ...items];
}

/** Returns everything that events can make stale, in the order of {@link affectedBy}. */
export function allAffected(entities: readonly EntityMetadata[]): readonly string[] {
  return [
    ...new Set(entities.flatMap(({ references = {} }) => Object.keys(references))),
    ...entities.map(({ name }) => name),
  ];
}

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(EventType).map(([name, value]) => [value, name]),
);

import type { CommandMetadata } from '#commands/model/command.ts';
import type { EntityMetadata } from '#commands/model/entity.ts';
import type { PageMetadata } from '#commands/model/page.ts';

/**
 * An index of all commands, entities, and pages. A `Directory` has their metadata, and a `Registry` has the
 * declarations.
 */
interface Index<C extends CommandMetadata, E extends EntityMetadata, P extends PageMetadata> {
  readonly commands: readonly C[];
  readonly entities: readonly E[];
  readonly pages: readonly P[];
  command(id: string): C | undefined;
  /** Finds an entity by its singular or plural name. */
  entity(name: string): E | undefined;
}

/** The metadata of all commands, entities, and pages, which is available before their nouns have loaded. */
export type Directory = Index<CommandMetadata, EntityMetadata, PageMetadata>;

type Contents<C, E, P> = {
  readonly commands: readonly C[];
  readonly entities: readonly E[];
  readonly pages: readonly P[];
};

/**
 * Creates an index of commands, entities, and pages.
 *
 * @throws Error if an id or an entity name is declared twice, which is a programming error that is detected at startup.
 */
export function createIndex<C extends CommandMetadata, E extends EntityMetadata, P extends PageMetadata>({
  commands,
  entities,
  pages,
}: Contents<C, E, P>): Index<C, E, P> {
  const byId = uniqueMap(commands.map((command) => [command.id, command]));
  const byName = uniqueMap(
    entities.flatMap((entity) => [[entity.name, entity] as const, [entity.plural, entity] as const]),
  );
  return { commands, entities, pages, command: (id) => byId.get(id), entity: (name) => byName.get(name) };
}

function uniqueMap<Value>(pairs: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  const map = new Map<string, Value>();
  for (const [name, value] of pairs) {
    if (map.has(name)) throw new Error(`"${name}" is declared twice.`);
    map.set(name, value);
  }
  return map;
}

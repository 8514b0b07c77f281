import type { CommandFacts } from '#commands/model/command.ts';
import type { EntityFacts } from '#commands/model/entity.ts';
import type { PageFacts } from '#commands/model/page.ts';

/** The commands, entities and pages of the product: facts in a `Directory`, declarations in a `Registry`. */
interface Index<C extends CommandFacts, E extends EntityFacts, P extends PageFacts> {
  readonly commands: readonly C[];
  readonly entities: readonly E[];
  readonly pages: readonly P[];
  command(id: string): C | undefined;
  /** By singular or plural name. */
  entity(name: string): E | undefined;
}

/** The facts of every command, entity and page of the product, available before their nouns load. */
export type Directory = Index<CommandFacts, EntityFacts, PageFacts>;

type Contents<C, E, P> = {
  readonly commands: readonly C[];
  readonly entities: readonly E[];
  readonly pages: readonly P[];
};

/**
 * Creates an index of commands, entities and pages.
 *
 * @throws Error if an id or an entity name is declared twice: a programming error, detected at startup.
 */
export function createIndex<C extends CommandFacts, E extends EntityFacts, P extends PageFacts>({
  commands,
  entities,
  pages,
}: Contents<C, E, P>): Index<C, E, P> {
  const byId = unique(commands.map((command) => [command.id, command]));
  const byName = unique(
    entities.flatMap((entity) => [[entity.name, entity] as const, [entity.plural, entity] as const]),
  );
  return { commands, entities, pages, command: (id) => byId.get(id), entity: (name) => byName.get(name) };
}

function unique<Value>(pairs: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  const map = new Map<string, Value>();
  for (const [name, value] of pairs) {
    if (map.has(name)) throw new Error(`'${name}' is declared twice`);
    map.set(name, value);
  }
  return map;
}

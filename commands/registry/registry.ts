import type { Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { pageCommand, type AnyPage } from '#commands/model/page.ts';

/**
 * All commands and entities of the product. Readers look them up by id or iterate; none names a command.
 */
export interface Registry {
  readonly commands: readonly Command[];
  readonly entities: readonly AnyEntity[];
  readonly pages: readonly AnyPage[];
  command(id: string): Command | undefined;
  /** By singular or plural name. */
  entity(name: string): AnyEntity | undefined;
}

/**
 * The contribution of a noun: each `commands/nouns/<area>/<noun>/noun.ts` exports one, and `commands/nouns/all.ts`
 * lists them.
 */
export interface Noun {
  readonly entity?: AnyEntity;
  /** Each page adds the command that opens it. */
  readonly pages?: readonly AnyPage[];
  readonly commands: readonly Command[];
}

/** @throws Error if an id or an entity name is declared twice: a programming error, detected at start. */
export function createRegistry(nouns: readonly Noun[]): Registry {
  const pages = nouns.flatMap((noun) => noun.pages ?? []);
  const commands = nouns.flatMap((noun) => [...noun.commands, ...(noun.pages ?? []).map(pageCommand)]);
  const entities = nouns.flatMap((noun) => noun.entity ?? []);
  const byId = unique(commands.map((command) => [command.id, command]));
  const byName = unique(
    entities.flatMap((entity) => [[entity.name, entity] as const, [entity.plural, entity] as const]),
  );
  return {
    commands,
    entities,
    pages,
    command: (id) => byId.get(id),
    entity: (name) => byName.get(name),
  };
}

function unique<Value>(pairs: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  const map = new Map<string, Value>();
  for (const [name, value] of pairs) {
    if (map.has(name)) throw new Error(`'${name}' is declared twice`);
    map.set(name, value);
  }
  return map;
}

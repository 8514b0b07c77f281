import { atom } from 'jotai';

import type { Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { AnyPage } from '#commands/model/page.ts';
import { createIndex, type Directory } from '#commands/registry/directory.ts';
import { readManifest } from '#commands/registry/manifest.ts';
import { productOf } from '#commands/registry/product.ts';
import { commandsOf, type Registry } from '#commands/registry/registry.ts';
import { orExplain } from '#src/state/not-loaded.ts';
import { store } from '#src/state/store.ts';

import { importEntity, importNoun, manifest } from './loaders.ts';

// The console's registry. The facts of every noun are there from the start; its declarations load when something needs
// them, and all of them soon after the first screen. An entity can load without the commands of its noun, which a
// table's first rows do not need.

/** The declarations of a noun. */
interface Declared {
  readonly commands: readonly Command[];
  readonly pages: readonly AnyPage[];
}

const facts = readManifest(manifest);
const nounOfCommand = new Map<string, string>(
  facts.flatMap(({ name, commands }) => commands.map(({ id }) => [id, name] as const)),
);
const nounOfEntity = new Map(facts.flatMap(({ name, entity }) => (entity ? [[entity.name, name] as const] : [])));

const entities = new Map<string, AnyEntity>();
const nouns = new Map<string, Declared>();

/** All that is known from the start. */
const everyFact = createIndex({
  commands: facts.flatMap(({ commands }) => commands),
  entities: facts.flatMap(({ entity }) => entity ?? []),
  pages: facts.flatMap(({ pages }) => pages),
});
const product = productOf(everyFact, (name) => entities.get(name));

let currentDirectory: Directory = everyFact;
let currentRegistry: Registry = createIndex({ commands: [], entities: [], pages: [] });

/** Changes when declarations have loaded: a command's own reasons not to run are known from then on. */
export const loadedAtom = atom(0);

/** Every noun: its declarations if they have loaded, else its facts. A new object whenever more have loaded. */
export function directory(): Directory {
  return currentDirectory;
}

/** The declarations that have loaded; those of every noun once {@link loadAll} has resolved. */
export function registry(): Registry {
  return currentRegistry;
}

function update(): void {
  const entityOf = (name: string | undefined): AnyEntity | undefined => entities.get(name ?? '');
  currentDirectory = createIndex({
    commands: facts.flatMap(({ name, commands }) => nouns.get(name)?.commands ?? commands),
    entities: facts.flatMap(({ entity }) => entityOf(entity?.name) ?? entity ?? []),
    pages: facts.flatMap(({ name, pages }) => nouns.get(name)?.pages ?? pages),
  });
  currentRegistry = createIndex({
    commands: facts.flatMap(({ name }) => nouns.get(name)?.commands ?? []),
    entities: facts.flatMap(({ entity }) => entityOf(entity?.name) ?? []),
    pages: facts.flatMap(({ name }) => nouns.get(name)?.pages ?? []),
  });
  store.set(loadedAtom, (count) => count + 1);
}

/** Loads nouns with their commands and pages. @throws CommandError if one cannot be loaded; a later call tries again */
async function loadNouns(names: readonly string[]): Promise<void> {
  const missing = names.filter((name) => !nouns.has(name));
  if (missing.length === 0) return;
  const imported = await Promise.all(missing.map(async (name) => [name, await orExplain(importNoun(name))] as const));
  const added = imported.filter(([name]) => !nouns.has(name));
  for (const [name, noun] of added) {
    if (noun.entity) entities.set(noun.entity.name, noun.entity);
    nouns.set(name, { commands: commandsOf(noun, product), pages: noun.pages ?? [] });
  }
  if (added.length > 0) update();
}

/** Loads every noun. @throws CommandError if one cannot be loaded */
export function loadAll(): Promise<void> {
  return loadNouns(facts.map(({ name }) => name));
}

/** Loads the nouns that declare these commands; undefined if they have loaded. @throws CommandError as `loadAll` */
export function loadCommands(ids: readonly string[]): Promise<void> | undefined {
  const names = [...new Set(ids.flatMap((id) => nounOfCommand.get(id) ?? []))];
  return names.every((name) => nouns.has(name)) ? undefined : loadNouns(names);
}

/** Loads an entity, without the commands of its noun. Undefined if there is none. @throws CommandError as `loadAll` */
export async function loadEntity(name: string): Promise<AnyEntity | undefined> {
  const noun = nounOfEntity.get(name);
  if (noun === undefined || entities.has(name)) return entities.get(name);
  const entity = await orExplain(importEntity(noun));
  if (!entities.has(name)) {
    entities.set(name, entity);
    update();
  }
  return entity;
}

import { atom } from 'jotai';

import type { Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { AnyPage } from '#commands/model/page.ts';
import { createIndex, type Directory } from '#commands/registry/directory.ts';
import { readManifest } from '#commands/registry/manifest.ts';
import { commandsOf, type Registry } from '#commands/registry/registry.ts';
import { summarizeDirectory } from '#commands/registry/summary.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';
import { store } from '#src/state/store.ts';

import { importEntity, importNoun, manifest } from './loaders.ts';

// The console's registry. The metadata of every noun is available from the start. Declarations load on demand, and the
// rest soon after the first screen. An entity can load without its noun's commands, because a first screen with a
// table doesn't need them.

/** The declarations of a noun. */
interface Declarations {
  readonly commands: readonly Command[];
  readonly pages: readonly AnyPage[];
}

const metadata = readManifest(manifest);
const nounOfCommand = new Map<string, string>(
  metadata.flatMap(({ name, commands }) => commands.map(({ id }) => [id, name] as const)),
);
const nounOfEntity = new Map(metadata.flatMap(({ name, entity }) => (entity ? [[entity.name, name] as const] : [])));

const entities = new Map<string, AnyEntity>();
const nouns = new Map<string, Declarations>();

/** The metadata of all nouns. */
const metadataIndex = createIndex({
  commands: metadata.flatMap(({ commands }) => commands),
  entities: metadata.flatMap(({ entity }) => entity ?? []),
  pages: metadata.flatMap(({ pages }) => pages),
});
const summary = summarizeDirectory(metadataIndex, (name) => entities.get(name));

let currentDirectory: Directory = metadataIndex;
let currentRegistry: Registry = createIndex({ commands: [], entities: [], pages: [] });

/** Changes when declarations load, because commands can then explain for themselves why they are unavailable. */
export const loadCountAtom = atom(0);

/**
 * Returns all nouns, with their declarations if they have loaded, or else with their metadata. Each load creates a new
 * object.
 */
export function directory(): Directory {
  return currentDirectory;
}

/** Returns the declarations that have loaded. They are complete when {@link loadAll} has resolved. */
export function registry(): Registry {
  return currentRegistry;
}

function update(): void {
  const entityOf = (name: string | undefined): AnyEntity | undefined => entities.get(name ?? '');
  currentDirectory = createIndex({
    commands: metadata.flatMap(({ name, commands }) => nouns.get(name)?.commands ?? commands),
    entities: metadata.flatMap(({ entity }) => entityOf(entity?.name) ?? entity ?? []),
    pages: metadata.flatMap(({ name, pages }) => nouns.get(name)?.pages ?? pages),
  });
  currentRegistry = createIndex({
    commands: metadata.flatMap(({ name }) => nouns.get(name)?.commands ?? []),
    entities: metadata.flatMap(({ entity }) => entityOf(entity?.name) ?? []),
    pages: metadata.flatMap(({ name }) => nouns.get(name)?.pages ?? []),
  });
  store.set(loadCountAtom, (count) => count + 1);
}

/**
 * Loads nouns with their commands and pages.
 *
 * @throws NotLoadedError on failure, after which a later call retries
 */
async function loadNouns(names: readonly string[]): Promise<void> {
  const missingNames = names.filter((name) => !nouns.has(name));
  if (missingNames.length === 0) return;
  const importedNouns = await Promise.all(
    missingNames.map(async (name) => [name, await importOrThrow(importNoun(name))] as const),
  );
  const newNouns = importedNouns.filter(([name]) => !nouns.has(name));
  for (const [name, noun] of newNouns) {
    if (noun.entity) entities.set(noun.entity.name, completeEntity(noun.entity));
    nouns.set(name, { commands: commandsOf(noun, summary), pages: noun.pages ?? [] });
  }
  if (newNouns.length > 0) update();
}

/**
 * Adds what came with the noun to an entity that loaded before it. The object stays the same, because a new one would
 * reset the table, with its selection.
 */
function completeEntity(entity: AnyEntity): AnyEntity {
  const loadedEntity = entities.get(entity.name);
  return loadedEntity ? Object.assign(loadedEntity, entity) : entity;
}

/**
 * Loads every noun.
 *
 * @throws NotLoadedError
 */
export function loadAll(): Promise<void> {
  return loadNouns(metadata.map(({ name }) => name));
}

/**
 * Loads the nouns that declare the given commands. Returns undefined if they have already loaded.
 *
 * @throws NotLoadedError
 */
export function loadCommands(ids: readonly string[]): Promise<void> | undefined {
  const names = [...new Set(ids.flatMap((id) => nounOfCommand.get(id) ?? []))];
  return names.every((name) => nouns.has(name)) ? undefined : loadNouns(names);
}

/**
 * Loads an entity without its noun's commands. Returns undefined if there is no such entity.
 *
 * @throws NotLoadedError
 */
export async function loadEntity(name: string): Promise<AnyEntity | undefined> {
  const noun = nounOfEntity.get(name);
  if (noun === undefined || entities.has(name)) return entities.get(name);
  const entity = await importOrThrow(importEntity(noun));
  if (!entities.has(name)) {
    entities.set(name, entity);
    update();
  }
  return entity;
}

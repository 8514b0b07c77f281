import type { AnyEntity } from '#commands/model/entity.ts';
import { manifest } from '#commands/nouns/manifest.ts';
import type { Noun } from '#commands/registry/registry.ts';

// Imports nouns. This module is a separate chunk that loads before the rest of the console, so the first screen's noun
// loads in parallel.

export { manifest };

const nouns = byNoun(import.meta.glob<Noun>('/commands/nouns/*/*/noun.ts', { import: 'noun' }));
const entities = byNoun(import.meta.glob<AnyEntity>('/commands/nouns/*/*/entity.ts', { import: 'entity' }));

type Importer<Value> = () => Promise<Value>;

/** Indexes importers by the noun's folder name. */
function byNoun<Value>(importers: Readonly<Record<string, Importer<Value>>>): ReadonlyMap<string, Importer<Value>> {
  return new Map(Object.entries(importers).map(([path, load]) => [path.split('/').at(-2) ?? '', load]));
}

/** Imports a noun that is in the manifest. */
export function importNoun(name: string): Promise<Noun> {
  return find(nouns, name)();
}

/** Imports a noun's entity without its commands. */
export function importEntity(name: string): Promise<AnyEntity> {
  return find(entities, name)();
}

function find<Value>(importers: ReadonlyMap<string, Importer<Value>>, name: string): Importer<Value> {
  const load = importers.get(name);
  if (!load) throw new Error(`The noun "${name}" has no folder.`);
  return load;
}

/**
 * Starts importing the noun of the screen at a path, before the guard decides whether the user can open the screen. The
 * root path opens the first screen, unless the user chose another default.
 */
export function preloadScreen(path: string): void {
  if (path === '/' && manifest[0]) return ignoreFailure(importEntity(manifest[0].name));
  for (const { name, entity, pages = [] } of manifest) {
    const isAtPath = ({
      path: screenPath,
      aliases = [],
    }: {
      readonly path: string;
      readonly aliases?: readonly string[];
    }): boolean => [screenPath, ...aliases].some((start) => path === start || path.startsWith(`${start}/`));
    if (entity?.screen && isAtPath(entity.screen)) ignoreFailure(importEntity(name));
    else if (pages.some(({ screen }) => isAtPath(screen))) ignoreFailure(importNoun(name));
  }
}

/** Ignores a failed preload, because the screen retries the import and reports the failure. */
function ignoreFailure(preload: Promise<unknown>): void {
  preload.catch(() => undefined);
}

import type { AnyEntity } from '#commands/model/entity.ts';
import { createManifest, type Manifest } from '#commands/registry/manifest.ts';
import type { Noun } from '#commands/registry/registry.ts';

interface Loaders {
  readonly manifest: Manifest;
  readonly importNoun: (name: string) => Promise<Noun>;
  readonly importEntity: (name: string) => Promise<AnyEntity>;
}

/** Returns a replacement for `loaders.ts` that has only the given nouns. */
export function loadersFor(nouns: Readonly<Record<string, Noun>>): Loaders {
  const find = async (name: string): Promise<Noun> => {
    const noun = nouns[name];
    if (!noun) throw new Error(`Unknown noun "${name}".`);
    return noun;
  };
  return {
    manifest: createManifest(nouns),
    importNoun: find,
    importEntity: async (name) => (await find(name)).entity as AnyEntity,
  };
}

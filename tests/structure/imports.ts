import { existsSync, readFileSync } from 'node:fs';

import { resolveImport } from './sources.ts';

/** Matches static imports of values, but not `import type` and `import()`. */
const VALUE_IMPORT = /^import\s+(?!type\b)(?:[^;'"]*?\bfrom\s*)?['"]([^'"]+)['"]/gm;

/** The build replaces this module with its JSON (`vite.config.ts`). */
export const MANIFEST = 'commands/nouns/manifest.ts';

/** Returns our modules that load together with entry modules, each with its importer. */
export function loadedWith(...entries: readonly string[]): Map<string, string> {
  const importers = new Map(entries.map((entry) => [entry, '']));
  for (const path of importers.keys()) {
    if (path === MANIFEST) continue;
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(VALUE_IMPORT)) {
      const importedPath = resolveImport(path, specifier);
      if (/\.tsx?$/.test(importedPath) && existsSync(importedPath) && !importers.has(importedPath))
        importers.set(importedPath, path);
    }
  }
  return importers;
}

/** Lists the imports of matching modules that load together with entry modules, each with its importer. */
export function unwantedImports(entries: string | readonly string[], pattern: RegExp): string[] {
  return [...loadedWith(...[entries].flat())]
    .filter(([path]) => pattern.test(path))
    .map(([path, from]) => `${from} imports ${path}`);
}

import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

export interface Source {
  /** The path from the repository root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Its imports: `src/ui/Button.tsx` for our own modules, `node:fs` or `react` for others. */
  readonly imports: readonly string[];
}

const folders = ['commands', 'src', 'server'];
const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\(?\s*['"]([^'"]+)['"]/g;

/** Resolves a specifier of our own code, `#` or relative, to a path; returns the name of a package unchanged. */
export function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  return specifier.replace(/^#/, '');
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const imports = [...text.matchAll(IMPORT)].map(([, from, unbound]) => resolveImport(path, from ?? unbound ?? ''));
  return { path, text, imports };
}

/** All TypeScript and JavaScript that ships, excluding tests and code that only tests use. */
export const sources: readonly Source[] = folders
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.test\.tsx?$|(^|\/)(testing|testkit)(\.tsx?$|\/)/.test(path))
  .toSorted()
  .map(readSource);

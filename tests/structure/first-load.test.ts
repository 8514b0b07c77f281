import { existsSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { resolveImport } from './sources.ts';

// Lists modules that the first screens must not import; `npm run bench -- first-load` measures the rest.

/** Matches static imports of values: neither `import type` nor `import()`. */
const VALUE_IMPORT = /^import\s+(?!type\b)(?:[^;'"]*?\bfrom\s*)?['"]([^'"]+)['"]/gm;

/** Our modules that load together with an entry module, each with its importer. */
function loadedWith(entry: string): Map<string, string> {
  const importers = new Map([[entry, '']]);
  for (const path of importers.keys()) {
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(VALUE_IMPORT)) {
      const resolved = resolveImport(path, specifier);
      if (/\.tsx?$/.test(resolved) && existsSync(resolved) && !importers.has(resolved)) importers.set(resolved, path);
    }
  }
  return importers;
}

function unwantedImports(entry: string, pattern: RegExp): string[] {
  return [...loadedWith(entry)].filter(([path]) => pattern.test(path)).map(([path, from]) => `${from} imports ${path}`);
}

it("signs in without loading the registry, the contract's messages or the screens", () => {
  expect(loadedWith('src/app/main.tsx').size).toBeGreaterThan(20);
  const screens =
    /^(commands\/nouns\/|proto\/gen\/hiber\/|src\/(shell\/App|table|palette|panel|form|keys|run|search)\b)/;
  expect(unwantedImports('src/app/main.tsx', screens)).toEqual([]);
});

it('shows the sign-in form without loading the identity SDK, and signs in without loading second factors', () => {
  const sdk = /^src\/auth\/(identity|popup|second-factor)\.ts$/;
  expect(unwantedImports('src/app/main.tsx', sdk)).toEqual([]);
  expect(unwantedImports('src/sign-in/password/PasswordLogin.tsx', sdk)).toEqual([]);
  expect(unwantedImports('src/auth/identity.ts', /^src\/auth\/(popup|second-factor)\.ts$/)).toEqual([]);
  expect(loadedWith('src/sign-in/second-factor/SecondFactor.tsx').has('src/auth/second-factor.ts')).toBe(true);
});

it('shows the first rows without loading layers that open later', () => {
  expect(loadedWith('src/app/app.tsx').has('commands/nouns/all.ts')).toBe(true);
  const later =
    /^(proto\/gen\/hiber\/event(_service)?_pb|commands\/locales\/resources|src\/(palette\/Palette|form\/|panel\/ItemPanel|keys\/CheatSheet|ui\/overlays\/Toasts|shell\/\w+Dialog))/;
  expect(unwantedImports('src/app/app.tsx', later)).toEqual([]);
});

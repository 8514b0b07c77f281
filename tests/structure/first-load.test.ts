import { existsSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { target } from './sources.ts';

// Modules that the first screens must not import; `npm run bench -- first-load` measures the rest.

/** Static imports of values: not `import type`, not `import()`. */
const IMPORTING = /^import\s+(?!type\b)(?:[^;'"]*?\bfrom\s*)?['"]([^'"]+)['"]/gm;

/** Our modules loaded with a module, each with its importer. */
function loadedWith(entry: string): Map<string, string> {
  const from = new Map([[entry, '']]);
  for (const path of from.keys()) {
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(IMPORTING)) {
      const resolved = target(path, specifier);
      if (/\.tsx?$/.test(resolved) && existsSync(resolved) && !from.has(resolved)) from.set(resolved, path);
    }
  }
  return from;
}

function unwanted(entry: string, what: RegExp): string[] {
  return [...loadedWith(entry)].filter(([path]) => what.test(path)).map(([path, from]) => `${from} imports ${path}`);
}

it('signs in without loading the registry, the contract’s messages or the screens', () => {
  expect(loadedWith('src/app/main.tsx').size).toBeGreaterThan(20);
  const screens =
    /^(commands\/nouns\/|proto\/gen\/hiber\/|src\/(shell\/App|table|palette|panel|form|keys|run|search)\b)/;
  expect(unwanted('src/app/main.tsx', screens)).toEqual([]);
});

it('shows the sign-in form without loading the identity SDK, and signs in without second factors', () => {
  const sdk = /^src\/auth\/(identity|popup|second-factor)\.ts$/;
  expect(unwanted('src/app/main.tsx', sdk)).toEqual([]);
  expect(unwanted('src/sign-in/password/PasswordLogin.tsx', sdk)).toEqual([]);
  expect(unwanted('src/auth/identity.ts', /^src\/auth\/(popup|second-factor)\.ts$/)).toEqual([]);
  expect(loadedWith('src/sign-in/second-factor/SecondFactor.tsx').has('src/auth/second-factor.ts')).toBe(true);
});

it('shows the first rows without loading what opens later', () => {
  expect(loadedWith('src/app/app.tsx').has('commands/nouns/all.ts')).toBe(true);
  const later =
    /^(proto\/gen\/hiber\/event(_service)?_pb|commands\/locales\/resources|src\/(palette\/Palette|form\/|panel\/ItemPanel|keys\/CheatSheet|ui\/overlays\/Toasts|shell\/\w+Dialog))/;
  expect(unwanted('src/app/app.tsx', later)).toEqual([]);
});

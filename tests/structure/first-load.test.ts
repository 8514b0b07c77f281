import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { manifest } from '#commands/nouns/manifest.ts';

import { MANIFEST, loadedWith, unwantedImports } from './imports.ts';

// Lists modules that the first screens must not import; `npm run bench -- first-load` measures the rest.

test("signs in without the registry, the contract's messages, the screens, or their strings", () => {
  expect(loadedWith('src/app/main.tsx').size).toBeGreaterThan(20);
  const screens =
    /^(commands\/nouns\/|proto\/gen\/hiber\/|src\/(shell\/App|table|palette|panel|form|keys|run|registry|search|i18n\/console-strings)\b)/;
  expect(unwantedImports('src/app/main.tsx', screens)).toEqual([]);
});

test('shows the sign-in form without the identity SDK or second factors', () => {
  const sdk = /^src\/auth\/(identity|popup|second-factor)\.ts$/;
  expect(unwantedImports('src/app/main.tsx', sdk)).toEqual([]);
  expect(unwantedImports('src/sign-in/password/PasswordLogin.tsx', sdk)).toEqual([]);
  expect(unwantedImports('src/auth/identity.ts', /^src\/auth\/(popup|second-factor)\.ts$/)).toEqual([]);
  expect(loadedWith('src/sign-in/second-factor/SecondFactor.tsx').has('src/auth/second-factor.ts')).toBe(true);
});

const CONSOLE = ['src/app/app.tsx', 'src/app/console-facts.ts'];
const DEVICES = 'commands/nouns/fleet/device/entity.ts';

test('shows the first rows without later layers, nouns, or the code that runs commands', () => {
  expect(loadedWith(...CONSOLE).has(MANIFEST)).toBe(true);
  const LATER_MODULES =
    /^(proto\/gen\/hiber\/event(_service)?_pb|commands\/locales\/resources|src\/(palette\/Palette|form\/|panel\/ItemPanel|keys\/CheatSheet|ui\/(overlays\/Toasts|fields\/use-form)|shell\/\w+Dialog))/;
  expect(unwantedImports(CONSOLE, LATER_MODULES)).toEqual([]);
  expect(unwantedImports(CONSOLE, /^commands\/nouns\/(?!manifest\.ts)/)).toEqual([]);
  const runCode =
    /^(commands\/(kit|line)\/|commands\/run\/(run|resolve|undo|outline)\.ts|src\/run\/(runner|settle|undo)\.ts)/;
  expect(unwantedImports(CONSOLE, runCode)).toEqual([]);
  // Only staff have support sessions.
  expect(unwantedImports(CONSOLE, /^proto\/gen\/quarterdeck\/support\//)).toEqual([]);
});

/** The filter language, and the line that edits a filter. Printing a filter, and quoting its values, need neither. */
const FILTER_LANGUAGE =
  /^(commands\/query\/(?!edit|no-filter|print|problem|quote)|commands\/run\/count\.ts|src\/registry\/parser\.ts|src\/filter\/(?!FilterLine|early-text|FilterFrame|InvalidFilter|fixes))/;

test('shows the rows of a list without a filter before the filter language loads', () => {
  expect(unwantedImports([...CONSOLE, DEVICES], FILTER_LANGUAGE)).toEqual([]);
  // A filter in the URL starts to load its language before the console has loaded.
  expect(unwantedImports('src/app/main.tsx', FILTER_LANGUAGE)).toEqual([]);
  expect(loadedWith('src/filter/OpenFilterLine.tsx').has('src/filter/draft.ts')).toBe(true);
  expect(loadedWith('src/registry/parser.ts').has('commands/query/spellings.ts')).toBe(true);
});

test('shows the first devices without loading their commands or the commands of another noun', () => {
  const others = /^commands\/nouns\/(?!fleet\/(device|tag)\/|signals\/health-level\/|tab-groups\.ts)/;
  expect(unwantedImports(DEVICES, others)).toEqual([]);
  expect(
    unwantedImports(DEVICES, /^commands\/nouns\/.*\/(noun|create|edit|assign-tag|set-peripherals|installation)\.ts$/),
  ).toEqual([]);
  expect(unwantedImports(DEVICES, /^commands\/(line\/|run\/(run|resolve|undo)\.ts)/)).toEqual([]);
  // The descriptor of a service loads with the noun that calls it.
  const services =
    /^proto\/gen\/(quarterdeck\/|hiber\/(webhook|user|token|role_service|email|field|unit_preferences)_pb)/;
  expect(unwantedImports(DEVICES, services)).toEqual([]);
});

/** Compressed bytes that a noun may add to the first load, not counting its two paths in `src/registry/loaders.ts`. */
const NOUN_BUDGET = 500;

test('adds at most 0.6 KB to the first load per noun', () => {
  const screens = import.meta.glob('/commands/nouns/*/*/screen.json', { eager: true, import: 'default' });
  const titles = Object.entries(screens).map(([path, strings]) => ({ name: path.split('/').at(-2), strings }));
  const compressedSize = (omittedName?: string): number => {
    const isKept = ({ name }: { readonly name: string | undefined }): boolean => name !== omittedName;
    return gzipSync(JSON.stringify([manifest.filter(isKept), titles.filter(isKept)]), { level: 9 }).length;
  };
  const totalBytes = compressedSize();
  const tooLarge = manifest
    .map(({ name }) => ({ name, bytes: totalBytes - compressedSize(name) }))
    .filter(({ bytes }) => bytes > NOUN_BUDGET);
  expect(tooLarge).toEqual([]);
});

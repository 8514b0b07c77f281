import type { DescService } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { sources } from './sources.ts';

// Rules of architecture.md that a reader of the text can check: one registry of actions, direct imports.

const modules = import.meta.glob<Record<string, unknown>>('../../proto/gen/**/*_pb.ts', { eager: true });

/** The services' descriptors by export name: `TagService`. */
const services = Object.values(modules)
  .flatMap((module) => Object.entries(module))
  .filter((entry): entry is [string, DescService] => (entry[1] as { kind?: string } | undefined)?.kind === 'service');

/** Rpcs that only look, by the words their names are made of. Every other one changes something, or may. */
const looks = new RegExp(
  '^(get|list|view|history|stream|tree|lifecycles|health|modemHealth|settings|grouped|messages|count|tagCount|latest|' +
    'downsampled|tileMap|locationHistory|activity|forAsset|forProcessPoint|forModem|availableFields|currentUser$|' +
    'accessibleOrganizations|unitPreferences|testParameters|validateCreationToken|info$)|Assignments$',
);
const inConsole = sources.filter(({ path }) => path.startsWith('src/'));

it('calls no rpc that changes anything outside commands', () => {
  expect(services.length).toBeGreaterThan(30);
  const calls = inConsole.flatMap(({ path, text }) =>
    services.flatMap(([name, service]) => {
      if (!new RegExp(`\\b${name}\\b`).test(text)) return [];
      const changing = service.methods.filter((method) => !looks.test(method.localName));
      const called = changing.filter((method) => new RegExp(`\\.${method.localName}\\b`).test(text));
      return called.map((method) => `${path} calls ${name}.${method.name}`);
    }),
  );
  expect(calls).toEqual([]);
});

/** Buttons that are not actions of the product: they close, sign in, or try the same again. */
const withoutCommand = [
  /^src\/host\/CommandButton\.tsx$/, // the button of a command
  /^src\/views\/(login\/|(ScreenError|ErrorScreen)\.tsx$)/, // before there is a session, or after a screen fell over
  /^src\/shell\/\w+Dialog\.tsx$/, // closing, and copying a secret shown once
  /^src\/panel\/form\//, // of the form of a command: run it, copy its line, close
  /^src\/table\//, // of the table's own: sorting, ticking, loading again
];

it('has no button without a command', () => {
  const drawn = inConsole.filter(
    ({ path, text }) => !path.startsWith('src/ui/') && /<(button|Button|IconButton)\b/.test(text),
  );
  const plain = drawn.filter(({ path }) => !withoutCommand.some((allowed) => allowed.test(path)));
  expect(plain.map(({ path }) => path)).toEqual([]);
});

it('imports from where a thing is declared', () => {
  const barrels = sources.filter(({ text }) => /^export (\*|\{[^}]*\}) from/m.test(text));
  expect(barrels.map(({ path }) => path)).toEqual([]);
});

it('exports by name', () => {
  const unnamed = sources.filter(({ text }) => /^export default\b/m.test(text));
  expect(unnamed.map(({ path }) => path)).toEqual([]);
});

import { expect, test } from 'vitest';

import { nouns, registry } from '#commands/nouns/all.ts';
import { testContext } from '#commands/testkit/context.ts';

import { createIndex } from './directory.ts';
import { createManifest, readManifest } from './manifest.ts';

// The console reads the manifest from JSON.
const metadata = readManifest(JSON.parse(JSON.stringify(createManifest(nouns))));
const directory = createIndex({
  commands: metadata.flatMap(({ commands }) => commands),
  entities: metadata.flatMap(({ entity }) => entity ?? []),
  pages: metadata.flatMap(({ pages }) => pages),
});

test('lists every command, entity, and page in registry order', () => {
  const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
  const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);
  expect(ids(directory.commands)).toEqual(ids(registry.commands));
  expect(names(directory.entities)).toEqual(names(registry.entities));
  expect(names(directory.pages)).toEqual(names(registry.pages));
});

test("contains each command's metadata as declared", () => {
  for (const command of registry.commands) {
    const { on, target, keys, needs, features, notOn, ...knownMetadata } = directory.command(command.id)!;
    expect(command).toMatchObject(knownMetadata);
    const expectedLists = [command.keys, command.needs, command.features, command.notOn].map((value) => value ?? []);
    expect([keys, needs, features, notOn].map((value) => value ?? [])).toEqual(expectedLists);
    expect(on?.().name).toBe(command.on?.().name);
    expect([target?.name, target?.entity().name]).toEqual([command.target?.name, command.target?.entity().name]);
    const flags = ['affectsOnlyCaller', 'preparesChange', 'repeats', 'onTarget', 'onRows', 'unlisted'] as const;
    expect(flags.map((flag) => knownMetadata[flag] ?? false)).toEqual(flags.map((flag) => command[flag] ?? false));
  }
});

test("contains each entity's and page's metadata as declared", () => {
  for (const entity of registry.entities) {
    const { name, plural, requires, screen, changedBy = [], references } = entity;
    const { changedBy: changes = [], ...knownMetadata } = directory.entity(name)!;
    expect(knownMetadata).toEqual(
      JSON.parse(JSON.stringify({ name, plural, requires, features: entity.features, screen, references })),
    );
    expect(changes).toEqual(changedBy);
  }
  for (const [index, { noun, name, requires, features, screen }] of registry.pages.entries()) {
    expect(directory.pages[index]).toEqual(JSON.parse(JSON.stringify({ noun, name, requires, features, screen })));
  }
});

test('omits the function that blocks a command', () => {
  expect(directory.commands.filter(({ blockedReason }) => blockedReason)).toEqual([]);
  expect(registry.command('view.edit')?.blockedReason?.(testContext())).toBeDefined();
});

import { describe, expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { createTranslator, ownText, translateWith } from '#commands/locales/i18n.ts';
import { listDestinations } from '#commands/registry/destinations.ts';
import { canShareKeystroke } from '#commands/run/keystrokes.ts';

import { registry } from './all.ts';

const translator = await createTranslator('en', resources);
const english = translateWith(translator);

/**
 * The keys reserved for planned screens, each with the names of its screen. Remove an entry when its screen is
 * declared.
 */
const RESERVED_KEYS: readonly (readonly [key: string, names: string])[] = [
  ['g h', 'dashboard, home'],
  ['g m', 'map'],
  ['g a', 'alarms'],
  ['g i', 'events, incidents'],
  ['g c', 'scripts'],
  ['g b', 'notifications, bell'],
  ['g Shift+S', 'Slack'],
  ['g Shift+M', 'MQTT'],
  ['g Shift+C', 'certificates'],
  ['g Shift+L', 'changelog'],
  ['g Shift+A', 'assignments'],
  ['g Shift+F', 'firmware'],
  ['g Shift+D', 'device types'],
  ['g Shift+H', 'health levels'],
  ['g Shift+E', 'values'],
  ['g Shift+V', 'valves'],
  ['g Shift+I', 'files'],
  ['g Shift+N', 'named locations'],
  ['g Shift+W', 'wells'],
  ['g Shift+U', 'simulations'],
];

interface ScreenKey {
  readonly path: string;
  readonly noun: string;
  readonly key: string;
  /** The names that users might search for, separated by commas. */
  readonly names: string;
}

const screens: readonly ScreenKey[] = listDestinations(registry).flatMap(
  ({ title, command, screen: { path, key } }) => {
    const [noun = '', verb = ''] = command.split('.');
    const words = [ownText(translator, 'en', noun, 'words'), ownText(translator, 'en', noun, `commands.${verb}.words`)];
    return key === undefined ? [] : [{ path, noun, key, names: [english(title), noun, ...words].join(', ') }];
  },
);

describe('screen keys', () => {
  const lastPress = (key: string): string => key.replace(/^[gc] (Shift\+)?/, '').toLowerCase();

  test('consist of g and one letter, so no key is a prefix of another', () => {
    const keys = [...screens.map(({ key }) => key), ...RESERVED_KEYS.map(([key]) => key)];
    // The only exception is the comma, which opens the preferences in many programs.
    expect(keys.filter((key) => !/^g (Shift\+[A-Z]|[a-z])$/.test(key))).toEqual(['g ,']);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain('g g');
  });

  test("use a letter from one of the screen's names", () => {
    const namedKeys = [...screens.map(({ key, names }) => [key, names] as const), ...RESERVED_KEYS];
    const unrelated = namedKeys.filter(
      ([key, names]) => key !== 'g ,' && !names.toLowerCase().includes(lastPress(key)),
    );
    expect(unrelated).toEqual([]);
  });

  test('use a capital letter only if another screen uses the lowercase letter', () => {
    const usedKeys = new Set([...screens.map(({ key }) => key), ...RESERVED_KEYS.map(([key]) => key), 'g g']);
    const capitals = [...usedKeys].filter((key) => key.startsWith('g Shift+'));
    expect(capitals.filter((key) => !usedKeys.has(`g ${lastPress(key)}`))).toEqual([]);
  });

  test('share their letter with the command that creates an item for the screen', () => {
    const creators = registry.commands.flatMap(({ noun, keys = [] }) =>
      keys.filter((key) => key.startsWith('c ')).map((key) => ({ noun, key })),
    );
    const mismatches = creators.filter(
      ({ noun, key }) => !screens.some((screen) => screen.noun === noun && screen.key === key.replace(/^c/, 'g')),
    );
    expect(creators.length).toBeGreaterThan(4);
    expect(mismatches).toEqual([]);
  });
});

test('item commands use only the shared letters', () => {
  const letters: readonly string[] = Object.values(LETTERS);
  expect(new Set(letters).size).toBe(letters.length);
  const unexpectedKeys = registry.commands.flatMap(({ id, on, keys = [] }) =>
    on ? keys.filter((key) => !letters.includes(key)).map((key) => `${id}: ${key}`) : [],
  );
  expect(unexpectedKeys).toEqual([]);
});

test('keeps the shared letters for the same actions in views and everywhere', () => {
  const letters: readonly string[] = Object.values(LETTERS);
  const otherMeanings = registry.commands.filter(
    ({ on, keys = [] }) => !on && keys.some((key) => letters.includes(key)),
  );
  // Like the commands of the entities: writes the data of devices to a file, and edits the item that is shown.
  expect(otherMeanings.map(({ id }) => id)).toEqual(['export.create', 'view.edit']);
});

test('no key binding equals another or is a prefix of another where both can be pressed', () => {
  const bindings = registry.commands.flatMap((command) => (command.keys ?? []).map((keys) => ({ keys, command })));
  const clashes = bindings.flatMap((first, index) =>
    bindings
      .slice(index + 1)
      .filter((second) => isPrefix(first.keys, second.keys) && canShareKeystroke(first.command, second.command))
      .map((second) => `${first.command.id} and ${second.command.id}: ${first.keys}`),
  );
  expect(clashes).toEqual([]);
});

/** True if one of the sequences starts with the other. */
function isPrefix(a: string, b: string): boolean {
  return `${a} `.startsWith(`${b} `) || `${b} `.startsWith(`${a} `);
}

import { useAtomValue } from 'jotai';
import { useCallback } from 'react';

import type { CommandMetadata } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Settings } from '#commands/model/host.ts';
import type { Directory } from '#commands/registry/directory.ts';
import { isHidden, isInScope } from '#commands/run/availability.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';
import { storedAtom } from '#src/state/stored-atom.ts';
import type { KeyHint } from '#src/ui/key-hint.ts';

import { toKeyHint } from './format.ts';
import { matchesPosition, matchesPress, parseKeys, typesCharacter, type KeyEvent, type Press } from './press.ts';
import type { Binding } from './resolver.ts';

/** The user's replacements for declared key sequences, keyed by command id. An empty list means no key. */
export type Overrides = Readonly<Record<string, readonly string[]>>;

export const overridesAtom = storedAtom<Overrides>('quarterdeck-keys', {}, (stored) =>
  isOverrides(stored) ? stored : {},
);

export function isOverrides(stored: unknown): stored is Overrides {
  const isList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) && Object.values(stored).every(isList);
}

const parsedKeys = new Map<string, readonly Press[]>();

function parsePresses(keys: string): readonly Press[] {
  const cached = parsedKeys.get(keys);
  if (cached) return cached;
  const presses = parseKeys(keys);
  parsedKeys.set(keys, presses);
  return presses;
}

/** Returns the key sequences of a command, declared or custom. `formatKeys` formats them for display. */
export function keysOf(command: CommandMetadata, overrides: Overrides = store.get(overridesAtom)): readonly string[] {
  return overrides[command.id] ?? command.keys ?? [];
}

/** Returns the command's keys that work now. Without single-key shortcuts, only those that start with another key. */
export function workingKeysOf(
  command: CommandMetadata,
  overrides: Overrides = store.get(overridesAtom),
  { singleKeys }: Pick<Settings, 'singleKeys'> = store.get(settingsAtom),
): readonly string[] {
  return keysOf(command, overrides).filter((keys) => {
    const [first] = parsePresses(keys);
    return first && (singleKeys || !typesCharacter(first));
  });
}

/**
 * Returns a function that formats a command's first working keys for display. Undefined for a command without any.
 * Updates when a binding changes, and when the user turns single-key shortcuts on or off.
 */
export function useKeyHints(): (command: CommandMetadata | undefined) => KeyHint | undefined {
  const overrides = useAtomValue(overridesAtom);
  const settings = useAtomValue(settingsAtom);
  return useCallback(
    (command) => {
      const [first] = command ? workingKeysOf(command, overrides, settings) : [];
      return first === undefined ? undefined : toKeyHint(first);
    },
    [overrides, settings],
  );
}

/**
 * True if this press alone is one of the command's keys, unless it is a single key and those are off. Used by layers
 * with their own keys.
 */
export function isKeyOf(command: CommandMetadata, event: KeyEvent): boolean {
  return workingKeysOf(command).some((keys) => {
    const [press, ...others] = parsePresses(keys);
    if (!press || others.length > 0) return false;
    return matchesPress(event, press) || matchesPosition(event, press);
  });
}

/** Returns the current bindings of the focused entity's commands and of commands that work everywhere. */
export function bindingsFor(directory: Directory, context: Context, overrides?: Overrides): readonly Binding[] {
  const focusedEntity = context.focus && directory.entity(context.focus.entity);
  return directory.commands
    .filter((command) => isInScope(command, focusedEntity) && !isHidden(command, context))
    .flatMap((command) => keysOf(command, overrides).map((keys) => ({ command, keys, presses: parsePresses(keys) })));
}

import type { CommandMetadata } from '#commands/model/command.ts';
import type { Directory } from '#commands/registry/directory.ts';
import { canShareKeystroke } from '#commands/run/keystrokes.ts';

import { keysOf, type Overrides } from './bindings.ts';
import { isSymbolPress, parseKeys } from './press.ts';

/** Chords that browsers reserve, or that users expect the browser to handle. */
const RESERVED =
  /^(Control|Meta)\+(Shift\+)?[twnrlqpsfacvx]$|^Control\+(Shift\+)?Tab$|^Alt\+(F4|ArrowLeft|ArrowRight)$|^F(5|6|11|12)$/;

export function isReserved(keys: string): boolean {
  return canonicalPresses(keys).some((press) => RESERVED.test(press));
}

/** Finds the commands that would conflict with the given command if it were bound to these keys. */
export function findConflicts(
  command: CommandMetadata,
  keys: string,
  directory: Directory,
  overrides?: Overrides,
): readonly CommandMetadata[] {
  return directory.commands.filter(
    (other) =>
      other.id !== command.id &&
      canShareKeystroke(command, other) &&
      keysOf(other, overrides).some((value) => keysConflict(keys, value)),
  );
}

/**
 * Removes the given keys from the commands, along with every longer sequence that starts with them and every prefix of
 * them.
 */
export function unbindKeys(keys: string, commands: readonly CommandMetadata[], overrides: Overrides): Overrides {
  const remaining = commands.map((command) => [
    command.id,
    keysOf(command, overrides).filter((value) => !keysConflict(keys, value)),
  ]);
  return remaining.length === 0 ? overrides : { ...overrides, ...Object.fromEntries(remaining) };
}

/** Adds keys to a command. They take the place of those of its keys that they conflict with. */
export function addKeys(command: CommandMetadata, keys: string, overrides: Overrides): Overrides {
  const others = keysOf(command, overrides).filter((value) => !keysConflict(keys, value));
  return withKeys(command, [...others, keys], overrides);
}

/** Removes keys from a command, which can leave it without any. */
export function removeKeys(command: CommandMetadata, keys: string, overrides: Overrides): Overrides {
  const others = keysOf(command, overrides).filter((value) => !areSameKeys(keys, value));
  return withKeys(command, others, overrides);
}

/** Stores only keys that differ from the default ones, so a newer version can change those. */
function withKeys(command: CommandMetadata, sequences: readonly string[], overrides: Overrides): Overrides {
  const { [command.id]: _replaced, ...others } = overrides;
  const { keys: defaultKeys = [] } = command;
  const isDefault =
    sequences.length === defaultKeys.length && sequences.every((keys, index) => keys === defaultKeys[index]);
  return isDefault ? others : { ...others, [command.id]: sequences };
}

/** True if the sequences are the same, however they are written. */
export function areSameKeys(a: string, b: string): boolean {
  return canonicalPresses(a).join(' ') === canonicalPresses(b).join(' ');
}

/**
 * Resolves conflicts between custom keys and a newer version's default keys. The custom keys keep working, and the
 * other command loses its default.
 */
export function keepCustomKeys(overrides: Overrides, directory: Directory): Overrides {
  let resolved = overrides;
  for (const [id, sequences] of Object.entries(overrides)) {
    const command = directory.command(id);
    for (const keys of command ? sequences : []) {
      const conflicts = findConflicts(command!, keys, directory, resolved).filter((other) => !overrides[other.id]);
      resolved = unbindKeys(keys, conflicts, resolved);
    }
  }
  return resolved;
}

/** True if the sequences are equal, or one is a prefix of the other. */
function keysConflict(a: string, b: string): boolean {
  const [first, second] = [a, b].map((keys) => `${canonicalPresses(keys).join(' ')} `) as [string, string];
  return first.startsWith(second) || second.startsWith(first);
}

const MODIFIER_ORDER = ['Control', 'Meta', 'Alt', 'Shift'];

/** Returns the keystrokes in the same form however they were recorded or written: `Shift+$mod+T`, `$mod+Shift+t`. */
function canonicalPresses(keys: string): readonly string[] {
  return parseKeys(keys).map((press) => {
    const [mods, key] = press;
    const name = typeof key === 'string' ? key : key.source;
    const isHeld = (mod: string): boolean => mods.includes(mod) && !(mod === 'Shift' && isSymbolPress(press));
    return [...MODIFIER_ORDER.filter(isHeld), name.length === 1 ? name.toLowerCase() : name].join('+');
  });
}

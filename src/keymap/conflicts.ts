import type { CommandMetadata } from '#commands/model/command.ts';
import type { Directory } from '#commands/registry/directory.ts';
import { canShareKeystroke } from '#commands/run/keystrokes.ts';

import { keysOf, type Overrides } from './bindings.ts';
import { formatKeys } from './format.ts';

/** Chords that browsers reserve, or that users expect the browser to handle. */
const RESERVED =
  /^(\$mod|Control|Meta)\+(Shift\+)?[twnrlqpsfacvx]$|^(\$mod|Control)\+(Shift\+)?Tab$|^Alt\+(F4|ArrowLeft|ArrowRight)$|^F(5|6|11|12)$/;

export function isReserved(keys: string): boolean {
  return keys.split(' ').some((press) => RESERVED.test(press));
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
  const [first, second] = [`${formatKeys(a)} `, `${formatKeys(b)} `];
  return first.startsWith(second) || second.startsWith(first);
}

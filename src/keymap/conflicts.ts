import type { CommandFacts } from '#commands/model/command.ts';
import type { Directory } from '#commands/registry/directory.ts';

import { keysOf, type Overrides } from './bindings.ts';
import { formatKeys } from './format.ts';

/** Chords that browsers reserve, or that people expect the browser to handle. */
const RESERVED =
  /^(\$mod|Control|Meta)\+(Shift\+)?[twnrlqpsf]$|^(\$mod|Control)\+(Shift\+)?Tab$|^Alt\+(F4|ArrowLeft|ArrowRight)$|^F(5|6|11|12)$/;

export function isReserved(keys: string): boolean {
  return keys.split(' ').some((press) => RESERVED.test(press));
}

/** Finds the commands whose keys equal these or share a prefix with them, if both commands can be active. */
export function findConflicts(
  command: CommandFacts,
  keys: string,
  directory: Directory,
  overrides?: Overrides,
): readonly CommandFacts[] {
  return directory.commands.filter(
    (otherBinding) =>
      otherBinding.id !== command.id &&
      canCoincide(command, otherBinding) &&
      keysOf(otherBinding, overrides).some((value) => isPrefix(keys, value) || isPrefix(value, keys)),
  );
}

/** True if both can be active at once: one works everywhere, or both belong to the same entity. */
function canCoincide(a: CommandFacts, b: CommandFacts): boolean {
  return !a.on || !b.on || a.on().name === b.on().name;
}

function isPrefix(short: string, long: string): boolean {
  return `${formatKeys(long)} `.startsWith(`${formatKeys(short)} `);
}

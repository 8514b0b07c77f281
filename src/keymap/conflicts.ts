import type { Command } from '#commands/model/command.ts';
import type { Registry } from '#commands/registry/registry.ts';

import { keysOf, type Overrides } from './bindings.ts';
import { formatKeys } from './format.ts';

/** Chords that browsers keep for themselves, or that people expect of them. */
const RESERVED =
  /^(\$mod|Control|Meta)\+(Shift\+)?[twnrlqpsf]$|^(\$mod|Control)\+(Shift\+)?Tab$|^Alt\+(F4|ArrowLeft|ArrowRight)$|^F(5|6|11|12)$/;

export function isReserved(keys: string): boolean {
  return keys.split(' ').some((press) => RESERVED.test(press));
}

/**
 * The commands that these keys would get in the way of: the same keys, or ones that begin the same, where both are
 * live.
 */
export function clashesOf(
  command: Command,
  keys: string,
  registry: Registry,
  overrides?: Overrides,
): readonly Command[] {
  return registry.commands.filter(
    (action) =>
      action.id !== command.id &&
      meet(command, action) &&
      keysOf(action, overrides).some((value) => begins(keys, value) || begins(value, keys)),
  );
}

/** Whether both can be live at once: one of them works everywhere, or both belong to the same entity. */
function meet(a: Command, b: Command): boolean {
  return !a.on || !b.on || a.on().name === b.on().name;
}

function begins(short: string, long: string): boolean {
  return `${formatKeys(long)} `.startsWith(`${formatKeys(short)} `);
}

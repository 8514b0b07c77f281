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
export function clashesOf(of: Command, keys: string, registry: Registry, overrides?: Overrides): readonly Command[] {
  return registry.commands.filter(
    (other) =>
      other.id !== of.id &&
      meet(of, other) &&
      keysOf(other, overrides).some((each) => begins(keys, each) || begins(each, keys)),
  );
}

/** Whether both can be live at once: one of them works everywhere, or both belong to the same entity. */
function meet(one: Command, other: Command): boolean {
  return !one.on || !other.on || one.on().name === other.on().name;
}

function begins(short: string, long: string): boolean {
  return `${formatKeys(long)} `.startsWith(`${formatKeys(short)} `);
}

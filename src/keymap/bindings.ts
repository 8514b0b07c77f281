import { useAtomValue } from 'jotai';
import { atomWithStorage } from 'jotai/utils';
import { useCallback } from 'react';

import { isHidden, isInScope } from '#commands/run/availability.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Registry } from '#commands/registry/registry.ts';

import { store } from '#src/state/store.ts';
import { formatKeys } from './format.ts';
import { parseKeys, type Press } from './press.ts';
import type { Binding } from './resolver.ts';

/** Sequences that a person chose instead of the declared ones, by command id; an empty list is no key at all. */
export type Overrides = Readonly<Record<string, readonly string[]>>;

export const overridesAtom = atomWithStorage<Overrides>('quarterdeck-keys', {}, undefined, { getOnInit: true });

const parsed = new Map<string, readonly Press[]>();

function pressesOf(keys: string): readonly Press[] {
  const known = parsed.get(keys);
  if (known) return known;
  const presses = parseKeys(keys);
  parsed.set(keys, presses);
  return presses;
}

/** The key sequences of a command, as declared or as the person chose; `formatKeys` says how they are shown. */
export function keysOf(command: Command, overrides: Overrides = store.get(overridesAtom)): readonly string[] {
  return overrides[command.id] ?? command.keys ?? [];
}

/**
 * The keys to show beside a command, as people read them; undefined where it has none. Again when a binding is
 * changed.
 */
export function useShownKeys(): (command: Command | undefined) => string | undefined {
  const overrides = useAtomValue(overridesAtom);
  return useCallback(
    (command) => {
      const [first] = command ? keysOf(command, overrides) : [];
      return first === undefined ? undefined : formatKeys(first);
    },
    [overrides],
  );
}

/** What keys do here and now: the commands of the entity in focus and those that work everywhere. */
export function bindingsFor(registry: Registry, context: Context, overrides?: Overrides): readonly Binding[] {
  const focused = context.focus && registry.entity(context.focus.entity);
  return registry.commands
    .filter((command) => isInScope(command, focused) && !isHidden(command, context))
    .flatMap((command) => keysOf(command, overrides).map((keys) => ({ command, keys, presses: pressesOf(keys) })));
}

import { overridesAtom } from '#src/keymap/bindings.ts';
import { keepCustomKeys } from '#src/keymap/conflicts.ts';
import { directory } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

/** Gives the user's custom keys precedence over default keys from a newer version. */
export function resolveKeyConflicts(): void {
  const overrides = store.get(overridesAtom);
  const keptOverrides = keepCustomKeys(overrides, directory());
  if (keptOverrides !== overrides) store.set(overridesAtom, keptOverrides);
}

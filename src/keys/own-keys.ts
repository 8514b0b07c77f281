import { overridesAtom } from '#src/keymap/bindings.ts';
import { keepOwnKeys } from '#src/keymap/conflicts.ts';
import { directory } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

/** Gives the user's own keys precedence over default keys from a newer version. */
export function settleOwnKeys(): void {
  const overrides = store.get(overridesAtom);
  const settled = keepOwnKeys(overrides, directory());
  if (settled !== overrides) store.set(overridesAtom, settled);
}

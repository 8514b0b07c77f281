import { overridesAtom } from '#src/keymap/bindings.ts';
import { keepOwnKeys } from '#src/keymap/conflicts.ts';
import { directory } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

/** Lets the person's own keys win over the default keys of a version newer than their choice. */
export function settleOwnKeys(): void {
  const overrides = store.get(overridesAtom);
  const settled = keepOwnKeys(overrides, directory());
  if (settled !== overrides) store.set(overridesAtom, settled);
}

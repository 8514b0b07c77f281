import { forgetOrganization } from '../data/query-client.ts';
import { actingAtom, type Acting } from '../state/acting.ts';
import { focusAtom } from '../state/focus.ts';
import { paletteAtom, formAtom } from '../state/layers.ts';
import { store } from '../state/store.ts';
import { reportAtom, revealAtom } from '../state/work.ts';

/**
 * Acts for another organization from here on: nothing of the one before stays on the screen or in a cache. History stays, but undo and repeat
 * only see entries of the organization they were made in.
 */
export function enterOrganization(acting: Acting | undefined): void {
  const before = store.get(actingAtom);
  if (before && before.organization.id !== acting?.organization.id) forgetOrganization(before.organization.id);
  store.set(focusAtom, undefined);
  store.set(formAtom, undefined);
  store.set(paletteAtom, { open: false });
  store.set(reportAtom, undefined);
  store.set(revealAtom, undefined);
  store.set(actingAtom, acting);
}

import { EMPTY } from '#commands/run/history.ts';

import { forgetOrganization, queryClient } from '#src/data/query-client.ts';
import { actingAtom, type Acting } from '#src/state/acting.ts';
import { shownAtom } from '#src/state/focus.ts';
import { paletteAtom, formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { historyAtom, reportAtom, revealAtom, runningAtom } from '#src/state/work.ts';

/**
 * Acts for another organization from here on: nothing of the one before stays on the screen or in a cache. History
 * stays, but undo and repeat only see entries of the organization they were made in.
 */
export function enterOrganization(acting: Acting | undefined): void {
  const before = store.get(actingAtom);
  if (before && before.organization.id !== acting?.organization.id) {
    forgetOrganization(before.organization.id);
    // What they offer is about the organization before.
    for (const { id, action } of toasts.list()) if (action) toasts.close(id);
  }
  store.set(shownAtom, {});
  store.set(formAtom, undefined);
  store.set(paletteAtom, { open: false });
  store.set(reportAtom, undefined);
  store.set(revealAtom, undefined);
  store.set(actingAtom, acting);
}

/**
 * Nothing of who was signed in stays: no answers, no history, no work under way. What they got used to is kept under
 * their own name.
 */
export function forgetPerson(): void {
  for (const { cancel } of store.get(runningAtom)) cancel();
  queryClient.clear();
  store.set(historyAtom, EMPTY);
}

import { EMPTY_HISTORY } from '#commands/run/history.ts';
import { message } from '#commands/text/message.ts';
import { forgetOrganization, queryClient } from '#src/data/query-client.ts';
import { translate, withStrings } from '#src/i18n/i18n.ts';
import { tabStorage } from '#src/state/browser-storage.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { paletteAtom, formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { stashUnsaved, takeUnsaved } from '#src/state/unsaved.ts';
import { userSessionAtom, type UserSession } from '#src/state/user-session.ts';
import {
  canceledRunAtom,
  failedRunAtom,
  HISTORY_KEY,
  historyAtom,
  lastResultsAtom,
  reportAtom,
  revealAtom,
  runningCommandsAtom,
} from '#src/state/work.ts';

/**
 * Switches to another organization and clears the previous one's data from the screen and the cache. The history is
 * kept, but undo and repeat use only entries from the current organization. Unsaved input is restored when the user
 * returns to the organization or, after the session has ended, when the same user signs in again.
 */
export function enterOrganization(session: UserSession | undefined): void {
  const before = store.get(userSessionAtom);
  if (before && !session) stashUnsaved(before, { isSwitching: false });
  if (before && before.organization.id !== session?.organization.id) {
    if (session && stashUnsaved(before, { isSwitching: true })) announceKeptInput(before.organization.name);
    forgetOrganization(before.organization.id);
    // Actions on toasts apply to the previous organization.
    for (const { id, action } of toasts.list()) if (action) toasts.close(id);
  }
  store.set(visibleTargetsAtom, {});
  store.set(formAtom, session && takeUnsaved(session));
  store.set(paletteAtom, { open: false });
  store.set(reportAtom, undefined);
  store.set(revealAtom, undefined);
  store.set(userSessionAtom, session);
}

function announceKeptInput(organization: string): void {
  withStrings(() => toasts.push({ title: translate(message('console:panel.kept', { organization })) }));
}

/**
 * Clears all data of the signed-in user: cached data, history, and running work. Habits are kept, because they are
 * stored per user.
 */
export function forgetUser(): void {
  for (const { cancel } of store.get(runningCommandsAtom)) cancel();
  queryClient.clear();
  store.set(historyAtom, EMPTY_HISTORY);
  // The stored history may not have been read yet (`stored-history.ts`).
  tabStorage.remove(HISTORY_KEY);
  store.set(canceledRunAtom, undefined);
  store.set(failedRunAtom, undefined);
  store.set(lastResultsAtom, undefined);
}

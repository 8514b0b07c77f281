import { onChange } from '#src/data/changes.ts';
import { report } from '#src/net/report.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { loadUserSession } from './current-user.ts';
import { enterOrganization } from './organization.ts';

/** The entity for the signed-in user: their name, roles, default organization, and preferences. */
export const ME = 'me';

/**
 * Keeps the user and their permissions in sync with the server. Stays on the same screen unless the organization
 * changed.
 */
export function followMe(): () => void {
  return onChange(({ entity }) => {
    if (entity === ME) void reloadUser();
  });
}

export async function reloadUser(): Promise<void> {
  const before = store.get(userSessionAtom);
  if (!before) return;
  try {
    const { id, awayFromHome } = before.organization;
    const latestSession = await loadUserSession(awayFromHome ? id : undefined);
    // The user may have switched organizations or signed out meanwhile.
    if (store.get(userSessionAtom) !== before) return;
    if (latestSession.organization.id === id) store.set(userSessionAtom, latestSession);
    else enterOrganization(latestSession);
  } catch (error) {
    // Keep the previous data because the next call reports the error.
    report(error);
  }
}

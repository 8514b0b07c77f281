import { loadUserSession as load } from '#commands/session/user-session.ts';
import { api } from '#src/data/transport.ts';
import type { UserSession } from '#src/state/user-session.ts';

/**
 * Loads the signed-in user and the organization that this tab acts for: the requested one, or else their default
 * (contract: CurrentUser).
 *
 * @throws ConnectError PERMISSION_DENIED if the user may not act for the requested organization.
 */
export function loadUserSession(requested: string | undefined): Promise<UserSession> {
  return load(api, requested);
}

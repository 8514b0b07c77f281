import { loadUserSession as load } from '#commands/session/user-session.ts';
import { api } from '#src/data/transport.ts';
import type { Acting } from '#src/state/acting.ts';

/**
 * Loads the signed-in user, as seen from the organization that this tab acts for: the requested one, or else their
 * default (contract: CurrentUser).
 * @throws ConnectError PERMISSION_DENIED if the user may not act for the requested organization.
 */
export function loadActing(requested: string | undefined): Promise<Acting> {
  return load(api, requested);
}

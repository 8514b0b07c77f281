import { loadActing as load } from '#commands/session/acting.ts';

import type { Acting } from '#src/state/acting.ts';
import { api } from '#src/data/transport.ts';

/**
 * Who is signed in, seen from the organization that this tab acts for: the requested one, else the person's default
 * (contract: CurrentUser).
 * @throws ConnectError PERMISSION_DENIED when the requested organization is not the caller's to act for.
 */
export function loadActing(requested: string | undefined): Promise<Acting> {
  return load(api, requested);
}

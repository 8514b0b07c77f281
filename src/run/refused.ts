import { failureOf } from '#commands/model/errors.ts';

import { changedByUs } from '#src/data/changes.ts';
import { actingAtom } from '#src/state/acting.ts';
import { store } from '#src/state/store.ts';

/**
 * Asks anew what this person may do when a command is refused for want of a permission: it was taken away while the
 * screen was open, which still offers it.
 */
export function followRefusal(error: unknown): void {
  followCode(failureOf(error).code);
}

/** {@link followRefusal} by the code of a failure. */
export function followCode(code: string | undefined): void {
  const organization = store.get(actingAtom)?.organization.id;
  if (code === 'permission_denied' && organization !== undefined) changedByUs(organization, ['me']);
}

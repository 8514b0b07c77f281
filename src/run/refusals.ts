import { failureOf } from '#commands/model/errors.ts';
import { Unavailable, type Reason } from '#commands/run/availability.ts';
import { announceOwnChange } from '#src/data/changes.ts';
import { actingAtom } from '#src/state/acting.ts';
import { store } from '#src/state/store.ts';

/** Reloading permissions rerenders the screen, which may be refused again for the same reason. */
const OWN_REFUSAL_MS = 5000;
let refreshedAt = -Infinity;

/**
 * Reloads the person's permissions when a command is refused for lack of one. Either it was revoked while the screen
 * was open and still offers the command, or it was granted meanwhile and the console itself still refuses the command.
 */
export function followRefusal(error: unknown): void {
  if (error instanceof Unavailable) return followReason(error.reason);
  followCode(failureOf(error).code);
}

/** {@link followRefusal} by the reason of a refusal by the console itself. */
export function followReason({ code }: Reason): void {
  if (code !== 'ability' || performance.now() - refreshedAt < OWN_REFUSAL_MS) return;
  refreshedAt = performance.now();
  followCode('permission_denied');
}

/** {@link followRefusal} by the code of a failure. */
export function followCode(code: string | undefined): void {
  const organization = store.get(actingAtom)?.organization.id;
  if (code === 'permission_denied' && organization !== undefined) announceOwnChange(organization, ['me']);
}

import { failureOf } from '#commands/model/errors.ts';
import { UnavailableError, type Reason } from '#commands/run/availability.ts';
import { announceOwnChange } from '#src/data/changes.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

/** Denials are ignored for this time after a reload, because the reload rerenders the screen, which may fail again. */
const OWN_DENIAL_MS = 5000;
let refreshedAt = -Infinity;

/**
 * Reloads the user's permissions when a command is denied because a permission is missing. The loaded permissions are
 * probably outdated. Either the permission was revoked and the screen still offers the command, or it was granted and
 * the console still rejects the command.
 */
export function refreshAfterDenial(error: unknown): void {
  if (error instanceof UnavailableError) return refreshAfterOwnDenial(error.reason);
  refreshIfDenied(failureOf(error).code);
}

/** Does the same as {@link refreshAfterDenial} for a denial by the console itself. */
export function refreshAfterOwnDenial({ code }: Reason): void {
  if (code !== 'ability' || performance.now() - refreshedAt < OWN_DENIAL_MS) return;
  refreshedAt = performance.now();
  refreshIfDenied('permission_denied');
}

/** Reloads the user's permissions if the given code of a failure means that a permission is missing. */
export function refreshIfDenied(code: string | undefined): void {
  const organization = store.get(userSessionAtom)?.organization.id;
  if (code === 'permission_denied' && organization !== undefined) announceOwnChange(organization, ['me']);
}

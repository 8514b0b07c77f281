import { createContextKey, type HandlerContext } from '@connectrpc/connect';

import type { RightsWatch } from '#server/events/rights-watch.ts';
import { rightsOf, type RightsSubject } from '#server/events/rights.ts';

import { type Scope, scope } from './scope.ts';
import type { SupportSession } from './support-sessions.ts';

/** The watch of a streaming call, opened before anything about its caller was read. */
export const rightsWatchKey = createContextKey<RightsWatch | undefined>(undefined, { description: 'rights watch' });
/** The support session that the call is part of. */
export const supportSessionKey = createContextKey<SupportSession | undefined>(undefined, {
  description: 'support session',
});

/**
 * Every streaming rpc must call this before it responds, and end its stream in `onChange`. The caller's rights may have
 * changed by then, and the new rights take effect when the caller reopens the stream.
 *
 * @param childOrganizations the child organizations that the stream covers
 */
export function onRightsChanged(
  context: HandlerContext,
  childOrganizations: readonly string[],
  onChange: () => void,
): void {
  const watch = context.values.get(rightsWatchKey);
  if (watch === undefined) throw new Error(`${context.method.name} is not a streaming call with a caller.`);
  const supportSession = context.values.get(supportSessionKey);
  watch.watch(
    [
      ...subjectsOf(scope(context)),
      ...childOrganizations.map(rightsOf.organization),
      ...(supportSession === undefined ? [] : [rightsOf.supportSession(supportSession)]),
    ],
    onChange,
  );
}

/** Returns the subjects that the call's rights depend on, other than its support session. */
function subjectsOf({ session, organization }: Scope): RightsSubject[] {
  const { user, token, signIn, memberships } = session;
  return [
    rightsOf.user(user.id),
    rightsOf.organization(organization),
    ...memberships.map((membership) => rightsOf.organization(membership.organization)),
    ...(token === undefined ? [] : [rightsOf.token(token)]),
    ...(signIn === undefined ? [] : [rightsOf.signIns(user.id), rightsOf.signIn(user.id, signIn.id)]),
  ];
}

/**
 * Returns when the call's rights expire: the earliest expiry of its API token, ID token, and support session. Undefined
 * if none of them expires.
 */
export function rightsExpiry(context: HandlerContext): Date | undefined {
  const { token, signIn } = scope(context).session;
  const expiries = [token?.expiresAt, signIn?.expiresAt, context.values.get(supportSessionKey)?.endsAt].filter(
    (expiry) => expiry != null,
  );
  return expiries.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

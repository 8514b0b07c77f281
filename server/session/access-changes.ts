import { createContextKey, type HandlerContext } from '@connectrpc/connect';

import type { AccessWatch } from '#server/events/access-watch.ts';
import { accessSubject, type AccessSubject } from '#server/events/access.ts';

import { type Scope, scope } from './scope.ts';
import type { SupportSession } from './support-sessions.ts';

/** The watch of a streaming call, opened before reading anything about its caller. */
export const accessWatchKey = createContextKey<AccessWatch | undefined>(undefined, { description: 'access watch' });
/** The support session that the call is part of. */
export const supportSessionKey = createContextKey<SupportSession | undefined>(undefined, {
  description: 'support session',
});

/**
 * Every streaming rpc must call this before responding, and end its stream in `onChange`. The caller's access may have
 * changed by then, and the change takes effect when the caller reopens the stream.
 *
 * @param childOrganizations the child organizations that the stream covers
 */
export function onAccessChanged(
  context: HandlerContext,
  childOrganizations: readonly string[],
  onChange: () => void,
): void {
  const watch = context.values.get(accessWatchKey);
  if (watch === undefined) throw new Error(`${context.method.name} isn't a streaming call with a caller.`);
  const supportSession = context.values.get(supportSessionKey);
  watch.watch(
    [
      ...subjectsOf(scope(context)),
      ...childOrganizations.map(accessSubject.organization),
      ...(supportSession === undefined ? [] : [accessSubject.supportSession(supportSession)]),
    ],
    onChange,
  );
}

/** Returns the subjects that the call's access depends on, other than its support session. */
export function subjectsOf({ session, organization }: Scope): AccessSubject[] {
  const { user, token, signIn, memberships } = session;
  return [
    accessSubject.user(user.id),
    accessSubject.organization(organization),
    ...memberships.map((membership) => accessSubject.organization(membership.organization)),
    ...(token === undefined ? [] : [accessSubject.token(token)]),
    ...(signIn === undefined ? [] : [accessSubject.signIns(user.id), accessSubject.signIn(user.id, signIn.id)]),
  ];
}

/**
 * Returns when the call's access expires: the earliest expiry of its API token, ID token, and support session.
 * Undefined if none of them expires.
 */
export function accessExpiry(context: HandlerContext): Date | undefined {
  const { token, signIn } = scope(context).session;
  const expiries = [token?.expiresAt, signIn?.expiresAt, context.values.get(supportSessionKey)?.endsAt].filter(
    (expiry) => expiry != null,
  );
  return expiries.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

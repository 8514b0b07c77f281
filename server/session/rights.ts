import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { rightsOf, type RightsSubject } from '#server/events/rights.ts';
import type { RightsWatch } from '#server/events/rights-watch.ts';
import { type Scope, scope } from './scope.ts';
import type { Visit } from './visits.ts';

/** Of a streaming call: opened before anything about its caller was read. */
export const rightsWatchKey = createContextKey<RightsWatch | undefined>(undefined, { description: 'rights watch' });
/** The support session that the call is part of. */
export const visitKey = createContextKey<Visit | undefined>(undefined, { description: 'support session' });

/**
 * Every streaming rpc calls this before it answers, and ends what it streams in `changed`: the caller may have other
 * rights by then, or none, and learns so by opening the stream again.
 *
 * @param below further organizations that the stream is about
 */
export function onRightsChanged(context: HandlerContext, below: readonly string[], changed: () => void): void {
  const watch = context.values.get(rightsWatchKey);
  if (watch === undefined) throw new Error(`${context.method.name} is no streaming call of somebody.`);
  const visit = context.values.get(visitKey);
  watch.over(
    [
      ...subjectsOf(scope(context)),
      ...below.map(rightsOf.organization),
      ...(visit === undefined ? [] : [rightsOf.supportSession(visit)]),
    ],
    changed,
  );
}

/** What the call's rights depend on, beside its support session. */
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

/** When the call's rights end by themselves: its API token or ID token expires, or its support session. */
export function rightsEnd(context: HandlerContext): Date | undefined {
  const { token, signIn } = scope(context).session;
  const ends = [token?.expiresAt, signIn?.expiresAt, context.values.get(visitKey)?.endsAt].filter((end) => end != null);
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';

import { AccessWatches } from '#server/events/access-watch.ts';
import { accessSubject, type AccessSubject } from '#server/events/access.ts';

import { onAccessChanged, accessExpiry, accessWatchKey, supportSessionKey } from './access-changes.ts';
import { type Scope, scopeKey } from './scope.ts';
import type { Session } from './session.ts';
import type { SupportSession } from './support-sessions.ts';

const MINUTE = 60_000;
const now = new Date('2026-11-20T10:00:00Z');
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * MINUTE);
const NO_EXPIRY = 0;

interface Call {
  /** Minutes until it expires; NO_EXPIRY if it doesn't. */
  readonly token?: number;
  readonly signIn?: number;
  readonly supportSession?: number;
}

/** Creates a streaming call by Ana for the organization `here`; she is also a member of `above` and `aside`. */
function createCall({ token, signIn, supportSession }: Call) {
  const memberships = ['above', 'aside'].map((organization) => ({
    organization,
    path: [organization],
    roles: [],
    blockedReason: undefined,
  }));
  const session = {
    user: { id: 'ana' },
    token:
      token === undefined ? undefined : { organization: 'home', id: 7, expiresAt: token ? inMinutes(token) : null },
    signIn: signIn === undefined ? undefined : { id: 'laptop', expiresAt: inMinutes(signIn) },
    memberships,
  } as unknown as Session;
  const watches = new AccessWatches();
  const values = createContextValues();
  values.set(scopeKey, { session, organization: 'here' } as Scope);
  values.set(accessWatchKey, watches.open());
  if (supportSession !== undefined) {
    values.set(supportSessionKey, { organization: 'here', id: 3, endsAt: inMinutes(supportSession) } as SupportSession);
  }
  return { context: { method: { name: 'Stream' }, values } as unknown as HandlerContext, watches };
}

/** Returns the changes that end the stream. */
function changesThatEnd(
  call: Call,
  changes: Readonly<Record<string, AccessSubject>>,
  childOrganizations: string[] = [],
): string[] {
  const { context, watches } = createCall(call);
  let endCount = 0;
  onAccessChanged(context, childOrganizations, () => (endCount += 1));
  return Object.entries(changes).flatMap(([name, subject]) => {
    const before = endCount;
    watches.notify([subject]);
    return endCount > before ? [name] : [];
  });
}

const changes = {
  person: accessSubject.user('ana'),
  organization: accessSubject.organization('here'),
  'a first membership': accessSubject.organization('above'),
  'a second membership': accessSubject.organization('aside'),
  token: accessSubject.token({ organization: 'home', id: 7 }),
  'all sign-ins': accessSubject.signIns('ana'),
  'sign-in': accessSubject.signIn('ana', 'laptop'),
  'support session': accessSubject.supportSession({ organization: 'here', id: 3 }),
  'child organization': accessSubject.organization('child'),
};
const commonChanges = ['person', 'organization', 'a first membership', 'a second membership'];

describe('a stream ends when access changes for', () => {
  test('the user, the organization, or any organization they are a member of', () => {
    expect(changesThatEnd({}, changes)).toEqual(commonChanges);
  });

  test('the token that opened it, but no sign-in', () => {
    expect(changesThatEnd({ token: NO_EXPIRY }, changes)).toEqual([...commonChanges, 'token']);
  });

  test("its sign-in, or all the user's sign-ins, but no token", () => {
    expect(changesThatEnd({ signIn: 60 }, changes)).toEqual([...commonChanges, 'all sign-ins', 'sign-in']);
  });

  test('its support session, or the child organizations it includes', () => {
    expect(changesThatEnd({ supportSession: 60 }, changes, ['child'])).toEqual([
      ...commonChanges,
      'support session',
      'child organization',
    ]);
  });

  test('but not for another subject with the same id', () => {
    const others = {
      person: accessSubject.user('bob'),
      organization: accessSubject.organization('elsewhere'),
      'token of another number': accessSubject.token({ organization: 'home', id: 8 }),
      'token of another organization': accessSubject.token({ organization: 'here', id: 7 }),
      'sign-ins of someone else': accessSubject.signIns('bob'),
      'same sign-in of someone else': accessSubject.signIn('bob', 'laptop'),
      'other sign-in': accessSubject.signIn('ana', 'phone'),
      'support session of another number': accessSubject.supportSession({ organization: 'here', id: 4 }),
      'support session elsewhere': accessSubject.supportSession({ organization: 'above', id: 3 }),
    };
    expect(changesThatEnd({ token: NO_EXPIRY, signIn: 60, supportSession: 60 }, others, ['child'])).toEqual([]);
  });
});

describe("a call's access expires", () => {
  test.each<[string, Call, number | undefined]>([
    ['never, for a token without an expiry', { token: NO_EXPIRY }, undefined],
    ['when the token expires', { token: 30 }, 30],
    ['when the sign-in expires', { signIn: 60 }, 60],
    ['when the support session ends', { token: NO_EXPIRY, supportSession: 20 }, 20],
    ['with the support session before the sign-in', { signIn: 60, supportSession: 20 }, 20],
    ['with the sign-in before the support session', { signIn: 10, supportSession: 20 }, 10],
    ['with the token before the support session', { token: 5, supportSession: 20 }, 5],
  ])('%s', (_, call, minutes) => {
    expect(accessExpiry(createCall(call).context)).toEqual(minutes === undefined ? undefined : inMinutes(minutes));
  });
});

test('throws for an rpc that is not a stream', () => {
  const context = { method: { name: 'List' }, values: createContextValues() } as unknown as HandlerContext;
  expect(() => onAccessChanged(context, [], () => {})).toThrow("List isn't a streaming call");
});

import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { rightsOf, type RightsSubject } from '#server/events/rights.ts';
import { RightsWatches } from '#server/events/rights-watch.ts';
import { onRightsChanged, rightsEnd, rightsWatchKey, visitKey } from './rights.ts';
import { type Scope, scopeKey } from './scope.ts';
import type { Session } from './session.ts';
import type { Visit } from './visits.ts';

const MINUTE = 60_000;
const now = new Date('2026-11-20T10:00:00Z');
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * MINUTE);
const NONE = 0;

interface Call {
  /** Minutes until it expires, `none` for one that does not. */
  readonly token?: number;
  readonly signIn?: number;
  readonly visit?: number;
}

/** A streaming call of Ana for the organization `here`; she is a member of `above` and `aside` as well. */
function calling({ token, signIn, visit }: Call) {
  const memberships = ['above', 'aside'].map((organization) => ({ organization, roles: [], barred: undefined }));
  const session = {
    user: { id: 'ana' },
    token:
      token === undefined ? undefined : { organization: 'home', id: 7, expiresAt: token ? inMinutes(token) : null },
    signIn: signIn === undefined ? undefined : { id: 'laptop', expiresAt: inMinutes(signIn) },
    memberships,
  } as unknown as Session;
  const watches = new RightsWatches();
  const values = createContextValues();
  values.set(scopeKey, { session, organization: 'here' } as Scope);
  values.set(rightsWatchKey, watches.open());
  if (visit !== undefined) {
    values.set(visitKey, { organization: 'here', id: 3, endsAt: inMinutes(visit) } as Visit);
  }
  return { context: { method: { name: 'Stream' }, values } as unknown as HandlerContext, watches };
}

/** Which of the changes end the stream. */
function ending(call: Call, changes: Readonly<Record<string, RightsSubject>>, below: string[] = []): string[] {
  const { context, watches } = calling(call);
  let ended = 0;
  onRightsChanged(context, below, () => (ended += 1));
  return Object.entries(changes).flatMap(([name, subject]) => {
    const before = ended;
    watches.changed([subject]);
    return ended > before ? [name] : [];
  });
}

const changes = {
  person: rightsOf.user('ana'),
  organization: rightsOf.organization('here'),
  'a first membership': rightsOf.organization('above'),
  'a second membership': rightsOf.organization('aside'),
  token: rightsOf.token({ organization: 'home', id: 7 }),
  'all sign-ins': rightsOf.signIns('ana'),
  'sign-in': rightsOf.signIn('ana', 'laptop'),
  'support session': rightsOf.supportSession({ organization: 'here', id: 3 }),
  'organization below': rightsOf.organization('below'),
};
const anybodys = ['person', 'organization', 'a first membership', 'a second membership'];

describe('a stream ends with a change of', () => {
  it('the person, the organization, and every organization that they are a member of', () => {
    expect(ending({}, changes)).toEqual(anybodys);
  });

  it('the token that it was opened with, and no sign-in', () => {
    expect(ending({ token: NONE }, changes)).toEqual([...anybodys, 'token']);
  });

  it('the sign-in that it comes from, or all of the person, and no token', () => {
    expect(ending({ signIn: 60 }, changes)).toEqual([...anybodys, 'all sign-ins', 'sign-in']);
  });

  it('its support session, and the organizations below that it is about', () => {
    expect(ending({ visit: 60 }, changes, ['below'])).toEqual([...anybodys, 'support session', 'organization below']);
  });

  it('nothing that is somebody else’s, whatever numbers they share', () => {
    const others = {
      person: rightsOf.user('bob'),
      organization: rightsOf.organization('elsewhere'),
      'token of another number': rightsOf.token({ organization: 'home', id: 8 }),
      'token of another organization': rightsOf.token({ organization: 'here', id: 7 }),
      'sign-ins of somebody else': rightsOf.signIns('bob'),
      'same sign-in of somebody else': rightsOf.signIn('bob', 'laptop'),
      'other sign-in': rightsOf.signIn('ana', 'phone'),
      'support session of another number': rightsOf.supportSession({ organization: 'here', id: 4 }),
      'support session elsewhere': rightsOf.supportSession({ organization: 'above', id: 3 }),
    };
    expect(ending({ token: NONE, signIn: 60, visit: 60 }, others, ['below'])).toEqual([]);
  });
});

describe('the rights of a call end by themselves', () => {
  it.each<[string, Call, number | undefined]>([
    ['never, for a token without an expiry', { token: NONE }, undefined],
    ['when the token expires', { token: 30 }, 30],
    ['when the sign-in expires', { signIn: 60 }, 60],
    ['when the support session ends', { token: NONE, visit: 20 }, 20],
    ['with the support session before the sign-in', { signIn: 60, visit: 20 }, 20],
    ['with the sign-in before the support session', { signIn: 10, visit: 20 }, 10],
    ['with the token before the support session', { token: 5, visit: 20 }, 5],
  ])('%s', (_, call, minutes) => {
    expect(rightsEnd(calling(call).context)).toEqual(minutes === undefined ? undefined : inMinutes(minutes));
  });
});

it('an rpc that is nobody’s stream cannot watch rights', () => {
  const context = { method: { name: 'List' }, values: createContextValues() } as unknown as HandlerContext;
  expect(() => onRightsChanged(context, [], () => {})).toThrow('List is no streaming call');
});

import { beforeEach, expect, it, vi } from 'vitest';

import type { Arrival, Identity } from './account.ts';

const anna: Identity = {
  id: 'anna',
  email: 'anna@example.com',
  name: 'Anna',
  emailVerified: true,
  providers: ['password'],
  factors: [],
};

type Tell = (identity: Identity | undefined, arrival?: Arrival) => void;

/** The SDK, as far as a session hears of it. */
const sdk = {
  tell: (() => undefined) as Tell,
  known: undefined as Identity | undefined,
  follow: vi.fn<(listener: Tell) => Promise<void>>(),
  idToken: vi.fn<(fresh: boolean) => Promise<string>>(async (fresh) => (fresh ? 'fresh' : 'cached')),
  signOut: vi.fn<() => Promise<void>>(),
};
vi.mock('./identity.ts', () => sdk);

async function open() {
  vi.resetModules();
  const { store } = await import('#src/state/store.ts');
  const session = await import('./session.ts');
  await session.startSession();
  return {
    ...session,
    now: () => store.get(session.sessionAtom),
    reason: () => store.get(session.signedOutReasonAtom),
  };
}

beforeEach(() => {
  window.localStorage.clear();
  sdk.known = undefined;
  sdk.follow.mockReset().mockImplementation(async (listener) => {
    sdk.tell = listener;
    listener(sdk.known);
  });
  sdk.signOut.mockReset().mockImplementation(async () => sdk.tell(undefined));
});

it('shows the sign-in form without waiting for the SDK, and finds who is known to it later', async () => {
  sdk.known = anna;
  const { now, lookForIdentity } = await open();
  expect(now()).toEqual({ status: 'signed-out' });
  expect(sdk.follow).not.toHaveBeenCalled();
  await lookForIdentity();
  expect(now()).toMatchObject({ status: 'signed-in', by: 'identity', id: 'anna' });
});

it('keeps how somebody came in until they are through, also over a reload', async () => {
  const first = await open();
  await first.lookForIdentity();
  sdk.tell(anna, 'created');
  expect(first.now()).toMatchObject({ arrival: 'created' });
  sdk.known = anna;
  const { now, arrived } = await open();
  expect(now()).toMatchObject({ id: 'anna', arrival: 'created' });
  arrived();
  expect(now()).not.toHaveProperty('arrival');
  expect((await open()).now()).not.toHaveProperty('arrival');
});

it('takes a local token before anything else, and forgets it on signing out', async () => {
  const { now, signInWithToken, bearer, signOut } = await open();
  signInWithToken('qd_secret');
  expect(now()).toEqual({ status: 'signed-in', by: 'token', id: 'token' });
  expect(await bearer()).toBe('qd_secret');
  await signOut();
  expect(now()).toEqual({ status: 'signed-out' });
  expect(await bearer()).toBeUndefined();
  expect(window.localStorage.getItem('local-auth-token')).toBeNull();
});

it('follows another tab that signs in or out with a token', async () => {
  const { now } = await open();
  const elsewhere = (token: string | null) => {
    if (token === null) window.localStorage.removeItem('local-auth-token');
    else window.localStorage.setItem('local-auth-token', token);
    window.dispatchEvent(new StorageEvent('storage', { key: 'local-auth-token' }));
  };
  elsewhere('qd_secret');
  expect(now()).toMatchObject({ by: 'token' });
  elsewhere(null);
  expect(now()).toEqual({ status: 'signed-out' });
});

it('says why a session ended, until the next one', async () => {
  const { now, reason, lookForIdentity, signOut } = await open();
  await lookForIdentity();
  sdk.tell(anna, 'password');
  await Promise.all([signOut('Your access was suspended.'), signOut('Another call was refused.')]);
  expect(now()).toEqual({ status: 'signed-out' });
  expect(reason()).toBe('Your access was suspended.');
  sdk.tell(anna, 'password');
  expect(reason()).toBeUndefined();
});

it('asks the SDK for a fresh token where a call was refused', async () => {
  const { lookForIdentity, bearer } = await open();
  await lookForIdentity();
  sdk.tell(anna);
  expect([await bearer(), await bearer(true)]).toEqual(['cached', 'fresh']);
});

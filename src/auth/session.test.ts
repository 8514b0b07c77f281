import { beforeEach, expect, test, vi } from 'vitest';

import type { Arrival, Identity } from './account.ts';

const anna: Identity = {
  id: 'anna',
  email: 'anna@example.com',
  name: 'Anna',
  emailVerified: true,
  providers: ['password'],
  factors: [],
};

type Listener = (identity: Identity | undefined, arrival?: Arrival) => void;

/** A fake of the parts of the SDK that a session uses. */
const sdk = {
  notify: (() => undefined) as Listener,
  identity: undefined as Identity | undefined,
  watchIdentity: vi.fn<(listener: Listener) => Promise<void>>(),
  getIdToken: vi.fn<(forceRefresh: boolean) => Promise<string>>(async (forceRefresh) =>
    forceRefresh ? 'fresh' : 'cached',
  ),
  signOut: vi.fn<() => Promise<void>>(),
};
vi.mock('./identity.ts', () => sdk);

async function openPage() {
  vi.resetModules();
  const { store } = await import('#src/state/store.ts');
  const session = await import('./session.ts');
  await session.startSession();
  return {
    ...session,
    currentSession: () => store.get(session.sessionAtom),
    reason: () => store.get(session.signedOutReasonAtom),
  };
}

beforeEach(() => {
  window.localStorage.clear();
  sdk.identity = undefined;
  sdk.watchIdentity.mockReset().mockImplementation(async (listener) => {
    sdk.notify = listener;
    listener(sdk.identity);
  });
  sdk.signOut.mockReset().mockImplementation(async () => sdk.notify(undefined));
});

test('starts signed out without the SDK and finds the identity later', async () => {
  sdk.identity = anna;
  const { currentSession, findIdentity } = await openPage();
  expect(currentSession()).toEqual({ status: 'signed-out' });
  expect(sdk.watchIdentity).not.toHaveBeenCalled();
  await findIdentity();
  expect(currentSession()).toMatchObject({ status: 'signed-in', method: 'identity', id: 'anna' });
});

test('keeps the sign-in method across reloads until the user reaches the console', async () => {
  const first = await openPage();
  await first.findIdentity();
  sdk.notify(anna, 'created');
  expect(first.currentSession()).toMatchObject({ arrival: 'created' });
  sdk.identity = anna;
  const { currentSession, completeArrival } = await openPage();
  expect(currentSession()).toMatchObject({ id: 'anna', arrival: 'created' });
  completeArrival();
  expect(currentSession()).not.toHaveProperty('arrival');
  expect((await openPage()).currentSession()).not.toHaveProperty('arrival');
});

test('prefers a local token and removes it on sign-out', async () => {
  const { currentSession, signInWithToken, getBearer, signOut } = await openPage();
  signInWithToken('qd_secret');
  expect(currentSession()).toEqual({ status: 'signed-in', method: 'token', id: 'token' });
  expect(await getBearer()).toBe('qd_secret');
  await signOut();
  expect(currentSession()).toEqual({ status: 'signed-out' });
  expect(await getBearer()).toBeUndefined();
  expect(window.localStorage.getItem('local-auth-token')).toBeNull();
});

test('follows token changes in other tabs', async () => {
  const { currentSession } = await openPage();
  const setTokenInOtherTab = (token: string | null) => {
    if (token === null) window.localStorage.removeItem('local-auth-token');
    else window.localStorage.setItem('local-auth-token', token);
    window.dispatchEvent(new StorageEvent('storage', { key: 'local-auth-token' }));
  };
  setTokenInOtherTab('qd_secret');
  expect(currentSession()).toMatchObject({ method: 'token' });
  setTokenInOtherTab(null);
  expect(currentSession()).toEqual({ status: 'signed-out' });
});

test('keeps the first reason for ending a session until the next sign-in', async () => {
  const { currentSession, reason, findIdentity, signOut } = await openPage();
  await findIdentity();
  sdk.notify(anna, 'password');
  await Promise.all([signOut('Your access was suspended.'), signOut('Another call was rejected.')]);
  expect(currentSession()).toEqual({ status: 'signed-out' });
  expect(reason()).toBe('Your access was suspended.');
  sdk.notify(anna, 'password');
  expect(reason()).toBeUndefined();
});

test('requests a fresh token after a rejected call', async () => {
  const { findIdentity, getBearer } = await openPage();
  await findIdentity();
  sdk.notify(anna);
  expect([await getBearer(), await getBearer(true)]).toEqual(['cached', 'fresh']);
});

import { atom } from 'jotai';

import { store } from '../state/store.ts';

/** How somebody is signed in. A local token is kept in local storage (spec 9) and wins over the identity provider. */
export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'signed-out' }
  | { readonly status: 'signed-in'; readonly by: 'token' | 'identity'; readonly id: string };

export const sessionAtom = atom<Session>({ status: 'loading' });

const TOKEN_KEY = 'local-auth-token';

/** The identity provider, loaded only when nobody is signed in by a local token. */
interface Identity {
  idToken(): Promise<string | undefined>;
  signIn(email: string, password: string): Promise<void>;
  signOut(): Promise<void>;
}

let identity: Promise<Identity> | undefined;

function loadIdentity(): Promise<Identity> {
  identity ??= import('./identity.ts').then(({ connectIdentity }) =>
    connectIdentity((user) => {
      if (localToken() === undefined) {
        store.set(sessionAtom, user ? { status: 'signed-in', by: 'identity', id: user } : { status: 'signed-out' });
      }
    }),
  );
  return identity;
}

function localToken(): string | undefined {
  return window.localStorage.getItem(TOKEN_KEY) ?? undefined;
}

/** Finds out who is signed in; resolves when that is known. Signing out in one tab signs out all of them. */
export async function startSession(): Promise<void> {
  window.addEventListener('storage', (event) => {
    if (event.key === TOKEN_KEY) readSession();
  });
  if (readSession()) return;
  await loadIdentity();
}

function readSession(): boolean {
  const token = localToken();
  if (token !== undefined) store.set(sessionAtom, { status: 'signed-in', by: 'token', id: 'token' });
  else if (store.get(sessionAtom).status === 'signed-in') store.set(sessionAtom, { status: 'signed-out' });
  return token !== undefined;
}

/** The bearer of the next call; undefined when nobody is signed in. */
export async function bearer(): Promise<string | undefined> {
  const token = localToken();
  if (token !== undefined) return token;
  const session = store.get(sessionAtom);
  return session.status === 'signed-in' ? (await loadIdentity()).idToken() : undefined;
}

export async function signInWithPassword(email: string, password: string): Promise<void> {
  await (await loadIdentity()).signIn(email, password);
}

export function signInWithToken(token: string): void {
  window.localStorage.setItem(TOKEN_KEY, token);
  store.set(sessionAtom, { status: 'signed-in', by: 'token', id: 'token' });
}

/** Spec 4: with a local token, forget it; otherwise sign out of the identity provider. */
export async function signOut(): Promise<void> {
  if (localToken() === undefined) await (await loadIdentity()).signOut();
  else window.localStorage.removeItem(TOKEN_KEY);
  store.set(sessionAtom, { status: 'signed-out' });
}

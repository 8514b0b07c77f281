import { atom } from 'jotai';

import { report } from '#src/net/report.ts';
import { browserStorage } from '#src/state/browser-storage.ts';
import { store } from '#src/state/store.ts';

import {
  SecondFactorRequiredError,
  type Arrival,
  type Identity,
  type NewAccount,
  type PasswordPolicy,
} from './account.ts';
import { clearIdentityHint, readIdentityHint, writeIdentityHint } from './identity-hint.ts';
import type * as Sdk from './identity.ts';
import { rememberSkip } from './skip.ts';

/** The sign-in state. A local token is in local storage (spec 9) and takes precedence over the identity provider. */
export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'signed-out'; readonly waitsForFactor?: true }
  | { readonly status: 'signed-in'; readonly method: 'token'; readonly id: string }
  | (Identity & {
      readonly status: 'signed-in';
      readonly method: 'identity';
      /** How the user just signed in. Absent once the guard has let them into the console. */
      readonly arrival?: Arrival;
    });

export const sessionAtom = atom<Session>({ status: 'loading' });

/** The server's message about why it ended the session. The sign-in screen shows it, and the next sign-in clears it. */
export const signedOutReasonAtom = atom<string | undefined>(undefined);

/** Returns the id of the signed-in user. Undefined if nobody is signed in. */
export function currentUserId(): string | undefined {
  const session = store.get(sessionAtom);
  return session.status === 'signed-in' ? session.id : undefined;
}

const TOKEN_KEY = 'local-auth-token';

function localToken(): string | undefined {
  return browserStorage.get(TOKEN_KEY);
}

/** The identity provider's SDK. It is loaded on demand, so only users who sign in with it wait for it. */
let provider: Promise<typeof Sdk> | undefined;

function loadProvider(): Promise<typeof Sdk> {
  provider ??= loadIdentity().catch((error: unknown) => {
    provider = undefined;
    throw error;
  });
  return provider;
}

async function loadIdentity() {
  const sdk = await import('./identity.ts');
  await sdk.watchIdentity(onIdentityChange);
  return sdk;
}

/**
 * Updates the session, unless a local token takes precedence. Notifications that change nothing, such as a refreshed
 * token, have no effect.
 */
function onIdentityChange(account: Identity | undefined, arrival?: Arrival): void {
  if (account) writeIdentityHint({ id: account.id, arrival: arrival ?? arrivalOf(account.id) });
  else clearIdentityHint();
  if (localToken() === undefined) setSession(account ? signedInSession(account) : signedOutSession());
}

/** Returns the signed-out state. A sign-in that is waiting for its second factor keeps waiting after a wrong code. */
function signedOutSession(): Session {
  const current = store.get(sessionAtom);
  return current.status === 'signed-out' ? current : { status: 'signed-out' };
}

function signedInSession(account: Identity): Session {
  const arrival = arrivalOf(account.id);
  return { ...account, status: 'signed-in', method: 'identity', ...(arrival ? { arrival } : {}) };
}

/**
 * Returns how the user signed in, from the hint that all tabs share. The link in a verification email, for example,
 * opens a new tab, which continues the sign-in.
 */
function arrivalOf(id: string): Arrival | undefined {
  const hint = readIdentityHint();
  return hint?.id === id ? hint.arrival : undefined;
}

function setSession(session: Session): void {
  if (JSON.stringify(store.get(sessionAtom)) === JSON.stringify(session)) return;
  if (session.status === 'signed-in') store.set(signedOutReasonAtom, undefined);
  store.set(sessionAtom, session);
}

/**
 * Determines who is signed in. Waits for the identity provider's SDK only if a hint shows that someone signed in with
 * it. Otherwise, call {@link findIdentity} later.
 */
export async function startSession(): Promise<void> {
  window.addEventListener('storage', ({ key }) => {
    if (key === TOKEN_KEY) readToken();
    else if (readIdentityHint()) loadProvider().catch(report);
  });
  if (readToken()) return;
  if (readIdentityHint()) await loadProvider().catch(report);
  // Assume that nobody is signed in. If the SDK finds a signed-in user later, the sign-in form continues to the
  // destination.
  if (store.get(sessionAtom).status === 'loading') setSession({ status: 'signed-out' });
}

/** Loads the SDK, which can find a signed-in user even if there is no hint. */
export async function findIdentity(): Promise<void> {
  if (localToken() === undefined) await loadProvider();
}

function readToken(): boolean {
  const token = localToken();
  if (token !== undefined) setSession({ status: 'signed-in', method: 'token', id: 'token' });
  else if (store.get(sessionAtom).status === 'signed-in') setSession({ status: 'signed-out' });
  return token !== undefined;
}

/**
 * Returns the bearer token for the next call. Undefined if nobody is signed in. `fresh` requests a new token, which
 * only the identity provider can issue.
 */
export async function getBearer(forceRefresh = false): Promise<string | undefined> {
  const token = localToken();
  if (token !== undefined) return token;
  return store.get(sessionAtom).status === 'signed-in' ? (await loadProvider()).getIdToken(forceRefresh) : undefined;
}

export function signInWithToken(token: string): void {
  browserStorage.set(TOKEN_KEY, token);
  readToken();
}

/**
 * Signs in with an email address and a password.
 *
 * @throws SecondFactorRequiredError if the sign-in continues at /login/mfa, or FirebaseError if it fails
 */
export async function signInWithPassword(email: string, password: string): Promise<void> {
  await completeSignIn((await loadProvider()).signInWithPassword(email, password));
}

/**
 * Signs in with a Google account.
 *
 * @throws SecondFactorRequiredError if the sign-in continues at /login/mfa, or FirebaseError if it fails
 */
export async function signInWithGoogle(): Promise<void> {
  await loadProvider();
  const { signInWithGoogle: signIn } = await import('./popup.ts');
  await completeSignIn(signIn());
}

async function completeSignIn(signIn: Promise<void>): Promise<void> {
  try {
    await signIn;
  } catch (error) {
    if (error instanceof SecondFactorRequiredError) setSession({ status: 'signed-out', waitsForFactor: true });
    throw error;
  }
}

/** Removes the local token, or else signs out of the identity provider (spec 4). `reason` is shown to the user. */
export async function signOut(reason?: string): Promise<void> {
  // Several calls can be rejected at the same time. Keep the first reason.
  if (reason) store.set(signedOutReasonAtom, (message) => message ?? reason);
  if (store.get(sessionAtom).status !== 'signed-in') return;
  if (localToken() === undefined) await (await loadProvider()).signOut();
  else browserStorage.remove(TOKEN_KEY);
  setSession({ status: 'signed-out' });
}

/** Remembers in this browser that the user declined a second factor, so the guard doesn't ask for one again. */
export function skipSecondFactor(): void {
  const session = store.get(sessionAtom);
  if (session.status === 'signed-in') rememberSkip(session.id);
}

/** Removes the arrival once the guard has let the user into the console. */
export function completeArrival(): void {
  const session = store.get(sessionAtom);
  if (session.status !== 'signed-in' || session.method !== 'identity' || !session.arrival) return;
  const { arrival: _, ...withoutArrival } = session;
  writeIdentityHint({ id: session.id, arrival: undefined });
  setSession(withoutArrival);
}

// The identity provider's operations for the sign-in screens. All of them throw FirebaseError.

/** Creates the account, signs in, and sends the verification email. */
export async function createAccount(account: NewAccount): Promise<void> {
  await (await loadProvider()).createAccount(account);
}

export async function sendPasswordReset(email: string): Promise<void> {
  await (await loadProvider()).sendPasswordReset(email);
}

/** Returns the email address for a password reset code. */
export async function emailOfResetCode(code: string): Promise<string> {
  return (await loadProvider()).emailOfResetCode(code);
}

export async function resetPassword(code: string, password: string): Promise<void> {
  await (await loadProvider()).resetPassword(code, password);
}

/** Sets a new password for the signed-in user. */
export async function changePassword(password: string): Promise<void> {
  await (await loadProvider()).changePassword(password);
}

/** Checks the password of the signed-in user. The provider counts this as a sign-in attempt. */
export async function isCurrentPassword(password: string): Promise<boolean> {
  return (await loadProvider()).isCurrentPassword(password);
}

/**
 * Resends the verification email.
 *
 * @throws Error 'User isn't signed in. Can't send verification email!' (spec 7)
 */
export async function sendVerification(): Promise<void> {
  await (await loadProvider()).sendVerification();
}

/** Applies the code of a verification email, signed in or not. Resolves to the verified address. */
export async function applyVerification(code: string): Promise<string> {
  return (await loadProvider()).applyVerification(code);
}

/** Reloads the account from the provider, for example after the email address was verified elsewhere. */
export async function refreshIdentity(): Promise<void> {
  await (await loadProvider()).refresh();
}

export async function loadPasswordPolicy(): Promise<PasswordPolicy> {
  return (await loadProvider()).loadPasswordPolicy();
}

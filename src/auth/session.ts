import { atom } from 'jotai';

import { report } from '#src/net/report.ts';
import { store } from '#src/state/store.ts';
import { SecondFactorRequired, type Arrival, type Identity, type NewAccount, type PasswordPolicy } from './account.ts';
import type * as Sdk from './identity.ts';
import { forgetMark, readMark, writeMark } from './mark.ts';
import { rememberSkip } from './skip.ts';
import { browserStorage } from '#src/state/browser-storage.ts';

/** How somebody is signed in. A local token is kept in local storage (spec 9) and wins over the identity provider. */
export type Session =
  | { readonly status: 'loading' }
  | { readonly status: 'signed-out'; readonly waitsForFactor?: true }
  | { readonly status: 'signed-in'; readonly by: 'token'; readonly id: string }
  | (Identity & {
      readonly status: 'signed-in';
      readonly by: 'identity';
      /** Until the guard has let them through: how they just came in. */
      readonly arrival?: Arrival;
    });

export const sessionAtom = atom<Session>({ status: 'loading' });

/** What the server said when it ended the session, for the sign-in screen; gone with the next sign-in. */
export const signedOutReasonAtom = atom<string | undefined>(undefined);

/** Who is signed in, as the identity provider knows them; undefined for nobody. */
export function personNow(): string | undefined {
  const session = store.get(sessionAtom);
  return session.status === 'signed-in' ? session.id : undefined;
}

const TOKEN_KEY = 'local-auth-token';

function localToken(): string | undefined {
  return browserStorage.get(TOKEN_KEY);
}

/** The identity provider's SDK, which comes late: no screen waits for it but those of somebody whom it signed in. */
let provider: Promise<typeof Sdk> | undefined;

function identity(): Promise<typeof Sdk> {
  provider ??= loadIdentity().catch((error: unknown) => {
    provider = undefined;
    throw error;
  });
  return provider;
}

async function loadIdentity() {
  const loaded = await import('./identity.ts');
  await loaded.follow(identityChanged);
  return loaded;
}

/** A local token wins. What is told again without news (a token was refreshed) changes nothing. */
function identityChanged(found: Identity | undefined, arrival?: Arrival): void {
  if (found) writeMark({ id: found.id, arrival: arrival ?? arrivalOf(found.id) });
  else forgetMark();
  if (localToken() === undefined) become(found ? signedIn(found) : notSignedIn());
}

/** A sign-in goes on waiting for its second factor when a wrong code was given. */
function notSignedIn(): Session {
  const before = store.get(sessionAtom);
  return before.status === 'signed-out' ? before : { status: 'signed-out' };
}

function signedIn(found: Identity): Session {
  const arrival = arrivalOf(found.id);
  return { ...found, status: 'signed-in', by: 'identity', ...(arrival ? { arrival } : {}) };
}

/** Kept for all tabs: the link of a verification mail opens another one, which goes on where this one waits. */
function arrivalOf(id: string): Arrival | undefined {
  const mark = readMark();
  return mark?.id === id ? mark.arrival : undefined;
}

function become(session: Session): void {
  if (JSON.stringify(store.get(sessionAtom)) === JSON.stringify(session)) return;
  if (session.status === 'signed-in') store.set(signedOutReasonAtom, undefined);
  store.set(sessionAtom, session);
}

/**
 * Finds out who is signed in; resolves when that is known. Where no mark says that the identity provider knows this
 * person, nobody waits for its SDK: call {@link lookForIdentity} once there is time.
 */
export async function startSession(): Promise<void> {
  window.addEventListener('storage', ({ key }) => {
    if (key === TOKEN_KEY) readToken();
    else if (readMark()) identity().catch(report);
  });
  if (readToken()) return;
  if (readMark()) await identity().catch(report);
  // Nobody as far as is known: the sign-in form keeps where they were heading until it is.
  if (store.get(sessionAtom).status === 'loading') become({ status: 'signed-out' });
}

/** Has the SDK ready for whoever signs in next, and finds those whom it knows though no mark is left of them. */
export async function lookForIdentity(): Promise<void> {
  if (localToken() === undefined) await identity();
}

function readToken(): boolean {
  const token = localToken();
  if (token !== undefined) become({ status: 'signed-in', by: 'token', id: 'token' });
  else if (store.get(sessionAtom).status === 'signed-in') become({ status: 'signed-out' });
  return token !== undefined;
}

/**
 * The bearer of the next call; a fresh one with `fresh`, where there can be one. Undefined when nobody is signed in.
 */
export async function bearer(fresh = false): Promise<string | undefined> {
  const token = localToken();
  if (token !== undefined) return token;
  return store.get(sessionAtom).status === 'signed-in' ? (await identity()).idToken(fresh) : undefined;
}

export function signInWithToken(token: string): void {
  browserStorage.set(TOKEN_KEY, token);
  readToken();
}

/** @throws SecondFactorRequired when /login/mfa is to complete it; FirebaseError otherwise. */
export async function signInWithPassword(email: string, password: string): Promise<void> {
  await signingIn((await identity()).signInWithPassword(email, password));
}

/** @throws SecondFactorRequired when /login/mfa is to complete it; FirebaseError otherwise. */
export async function signInWithGoogle(): Promise<void> {
  await identity();
  const { signInWithGoogle: signIn } = await import('./popup.ts');
  await signingIn(signIn());
}

async function signingIn(entering: Promise<void>): Promise<void> {
  try {
    await entering;
  } catch (error) {
    if (error instanceof SecondFactorRequired) become({ status: 'signed-out', waitsForFactor: true });
    throw error;
  }
}

/**
 * Spec 4: with a local token, forget it; otherwise sign out of the identity provider. `reason` is what the person is
 * told about it.
 */
export async function signOut(reason?: string): Promise<void> {
  // Several calls may be refused at once; the provider may have been the first to say so.
  if (reason) store.set(signedOutReasonAtom, (message) => message ?? reason);
  if (store.get(sessionAtom).status !== 'signed-in') return;
  if (localToken() === undefined) await (await identity()).signOut();
  else browserStorage.remove(TOKEN_KEY);
  become({ status: 'signed-out' });
}

/** This person does without a second factor, and is not asked again in this browser. */
export function skipSecondFactor(): void {
  const session = store.get(sessionAtom);
  if (session.status === 'signed-in') rememberSkip(session.id);
}

/** The guard let them through: from here on they are nobody who just came in. */
export function arrived(): void {
  const session = store.get(sessionAtom);
  if (session.status !== 'signed-in' || session.by !== 'identity' || !session.arrival) return;
  const { arrival: _, ...rest } = session;
  writeMark({ id: session.id, arrival: undefined });
  become(rest);
}

// What the sign-in screens ask of the identity provider. All of them @throw FirebaseError.

/** Creates the account, signs in, and asks for the verification mail. */
export async function createAccount(account: NewAccount): Promise<void> {
  await (await identity()).createAccount(account);
}

export async function sendPasswordReset(email: string): Promise<void> {
  await (await identity()).sendPasswordReset(email);
}

/** Whose password the code of a reset mail sets. */
export async function emailOfResetCode(code: string): Promise<string> {
  return (await identity()).emailOfResetCode(code);
}

export async function resetPassword(code: string, password: string): Promise<void> {
  await (await identity()).resetPassword(code, password);
}

/** Sets a new password for who is signed in. */
export async function changePassword(password: string): Promise<void> {
  await (await identity()).changePassword(password);
}

/** Whether this is the password of who is signed in; asking counts as a try. */
export async function isPassword(password: string): Promise<boolean> {
  return (await identity()).isPassword(password);
}

/** @throws Error 'User is not signed in. Cannot send verification email!' (spec 7) */
export async function sendVerification(): Promise<void> {
  await (await identity()).sendVerification();
}

/** Takes the code of a verification mail, signed in or not. Resolves to the address that it was for. */
export async function applyVerification(code: string): Promise<string> {
  return (await identity()).applyVerification(code);
}

/** Asks the provider anew who this is: after the mail was verified elsewhere, say. */
export async function refreshIdentity(): Promise<void> {
  await (await identity()).refresh();
}

export async function passwordPolicy(): Promise<PasswordPolicy> {
  return (await identity()).passwordPolicy();
}

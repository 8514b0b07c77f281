import { FirebaseError, initializeApp } from 'firebase/app';
import {
  applyActionCode,
  browserLocalPersistence,
  checkActionCode,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  multiFactor,
  onIdTokenChanged,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut as signOutOfFirebase,
  updatePassword,
  updateProfile,
  validatePassword,
  verifyPasswordResetCode,
  type Auth,
  type MultiFactorError,
  type MultiFactorInfo,
  type User,
} from 'firebase/auth';

import { loadServerInfo } from '#src/net/server-info.ts';

import { SecondFactorRequiredError, type Arrival, type Factor, type Identity, type NewAccount } from './account.ts';
import type { PasswordPolicy } from './account.ts';

// The Firebase SDK, limited to the parts in use. `session.ts` loads it on demand, and `second-factor.ts` and `popup.ts`
// build on it.

type Listener = (identity: Identity | undefined, arrival?: Arrival) => void;

let notify: Listener = () => undefined;
let connected: Promise<Auth> | undefined;

/** Reports who is signed in now, and whenever the user or their account changes, here or in another tab. */
export async function watchIdentity(listener: Listener): Promise<void> {
  notify = listener;
  const auth = await connect();
  notify(toIdentity(auth.currentUser));
}

/** Loads the SDK and waits for it to determine whether someone is signed in. */
export function connect(): Promise<Auth> {
  connected ??= start().catch((error: unknown) => {
    connected = undefined;
    throw error;
  });
  return connected;
}

async function start(): Promise<Auth> {
  const { identity } = await loadServerInfo();
  const app = initializeApp({
    apiKey: identity.apiKey,
    projectId: identity.project,
    authDomain: identity.authDomain,
  });
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] });
  if (identity.emulator) connectAuthEmulator(auth, window.location.origin, { disableWarnings: true });
  await auth.authStateReady();
  onIdTokenChanged(auth, (user) => {
    if (batchDepth === 0) notify(toIdentity(user));
  });
  return auth;
}

let batchDepth = 0;

/**
 * Combines several calls to the provider into one change and reports the user after all of them are done. Otherwise,
 * code could act on an incomplete account.
 */
export async function batchChanges(auth: Auth, change: () => Promise<Arrival | undefined>): Promise<void> {
  let arrival: Arrival | undefined;
  batchDepth++;
  try {
    arrival = await change();
  } finally {
    batchDepth--;
    notify(toIdentity(auth.currentUser), arrival);
  }
}

function toIdentity(user: User | null): Identity | undefined {
  if (!user) return undefined;
  return {
    id: user.uid,
    email: user.email ?? '',
    name: user.displayName ?? '',
    emailVerified: user.emailVerified,
    providers: user.providerData.map(({ providerId }) => providerId),
    factors: multiFactor(user).enrolledFactors.map(toFactor),
  };
}

export function toFactor(info: MultiFactorInfo): Factor {
  const phone = 'phoneNumber' in info && typeof info.phoneNumber === 'string' ? info.phoneNumber : '';
  return { id: info.uid, kind: info.factorId === 'totp' ? 'totp' : 'sms', label: info.displayName || phone };
}

/**
 * Returns the signed-in user.
 *
 * @throws Error if nobody is signed in
 */
export async function getCurrentUser(): Promise<User> {
  const { currentUser: user } = await connect();
  if (!user) throw new Error('User is not signed in.');
  return user;
}

/** A sign-in waiting for its second factor: the provider's error, and how the user signed in. */
interface PendingSignIn {
  readonly auth: Auth;
  readonly error: MultiFactorError;
  readonly arrival: Arrival;
}

let pendingSignIn: PendingSignIn | undefined;

export function getPendingSignIn(): PendingSignIn | undefined {
  return pendingSignIn;
}

/**
 * Signs in. Remembers a sign-in that needs a second factor until it is completed.
 *
 * @throws SecondFactorRequiredError
 */
export async function signInBy(arrival: Arrival, signIn: (auth: Auth) => Promise<unknown>): Promise<void> {
  const auth = await connect();
  await batchChanges(auth, async () => {
    try {
      await signIn(auth);
    } catch (error) {
      if (!isSecondFactorRequired(error)) throw error;
      pendingSignIn = { auth, error, arrival };
      throw new SecondFactorRequiredError();
    }
    pendingSignIn = undefined;
    return arrival;
  });
}

function isSecondFactorRequired(error: unknown): error is MultiFactorError {
  return error instanceof Error && 'code' in error && error.code === 'auth/multi-factor-auth-required';
}

export function signInWithPassword(email: string, password: string): Promise<void> {
  return signInBy('password', (auth) => signInWithEmailAndPassword(auth, email, password));
}

/** Creates the account with its name and sends the verification email. If that fails, the next screen sends it. */
export async function createAccount({ name, email, password }: NewAccount): Promise<void> {
  const auth = await connect();
  await batchChanges(auth, async () => {
    const { user } = await createUserWithEmailAndPassword(auth, email, password);
    await updateProfile(user, { displayName: name });
    // Gets a token that includes the name.
    await user.getIdToken(true);
    const wasSent = await sendEmailVerification(user).then(
      () => true,
      () => false,
    );
    return wasSent ? 'created' : 'password';
  });
}

export async function sendPasswordReset(email: string): Promise<void> {
  await sendPasswordResetEmail(await connect(), email);
}

export async function emailOfResetCode(code: string): Promise<string> {
  return verifyPasswordResetCode(await connect(), code);
}

export async function resetPassword(code: string, password: string): Promise<void> {
  await confirmPasswordReset(await connect(), code, password);
}

export async function changePassword(password: string): Promise<void> {
  await updatePassword(await getCurrentUser(), password);
}

/** The provider's codes for a wrong password. How specific they are depends on its settings. */
const WRONG_PASSWORD: ReadonlySet<string> = new Set(['auth/invalid-credential', 'auth/wrong-password']);

export async function isCurrentPassword(password: string): Promise<boolean> {
  const user = await getCurrentUser();
  try {
    await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password));
    return true;
  } catch (error) {
    const code = error instanceof FirebaseError ? error.code : '';
    if (WRONG_PASSWORD.has(code)) return false;
    // The password is correct because the next step would be the second factor.
    if (code === 'auth/multi-factor-auth-required') return true;
    throw error;
  }
}

export async function sendVerification(): Promise<void> {
  const { currentUser: user } = await connect();
  if (!user) throw new Error('User is not signed in. Cannot send verification email!');
  await sendEmailVerification(user);
}

/** Resolves to the verified email address. */
export async function applyVerification(code: string): Promise<string> {
  const auth = await connect();
  const { data } = await checkActionCode(auth, code);
  await applyActionCode(auth, code);
  if (auth.currentUser) await refresh();
  return data.email ?? '';
}

/** Reloads the account from the provider and gets a token with the new data. */
export async function refresh(): Promise<void> {
  const user = await getCurrentUser();
  await batchChanges(await connect(), async () => {
    await user.reload();
    await user.getIdToken(true);
    return undefined;
  });
}

export async function loadPasswordPolicy(): Promise<PasswordPolicy> {
  const { passwordPolicy: policy } = await validatePassword(await connect(), '');
  const rules = policy.customStrengthOptions;
  return {
    minLength: rules.minPasswordLength ?? 6,
    maxLength: rules.maxPasswordLength,
    lowercase: rules.containsLowercaseLetter ?? false,
    uppercase: rules.containsUppercaseLetter ?? false,
    numeric: rules.containsNumericCharacter ?? false,
    nonAlphanumeric: rules.containsNonAlphanumericCharacter ?? false,
  };
}

/** Returns the bearer token for a call, or a fresh one with `force`. Returns undefined if nobody is signed in. */
export async function getIdToken(force: boolean): Promise<string | undefined> {
  return (await connect()).currentUser?.getIdToken(force);
}

export async function signOut(): Promise<void> {
  pendingSignIn = undefined;
  await signOutOfFirebase(await connect());
}

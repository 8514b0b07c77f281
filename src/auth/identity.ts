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
  signOut as leave,
  updatePassword,
  updateProfile,
  validatePassword,
  verifyPasswordResetCode,
  type Auth,
  type MultiFactorError,
  type MultiFactorInfo,
  type User,
} from 'firebase/auth';

import { serverInfo } from '#src/net/server-info.ts';
import { SecondFactorRequired, type Arrival, type Factor, type Identity, type NewAccount } from './account.ts';
import type { PasswordPolicy } from './account.ts';

// The Firebase SDK, with only the parts in use. Loaded late, by `session.ts`; `second-factor.ts` and `popup.ts` build
// on it.

type Changed = (identity: Identity | undefined, arrival?: Arrival) => void;

let changed: Changed = () => undefined;
let connected: Promise<Auth> | undefined;

/**
 * Tells who is signed in, from now on: at once, and whenever that or what is known of them changes, here or in
 * another tab.
 */
export async function follow(listener: Changed): Promise<void> {
  changed = listener;
  const auth = await connect();
  changed(identityOf(auth.currentUser));
}

/** The SDK, once it knows whether somebody is signed in. */
export function connect(): Promise<Auth> {
  connected ??= start().catch((error: unknown) => {
    connected = undefined;
    throw error;
  });
  return connected;
}

async function start(): Promise<Auth> {
  const { identity } = await serverInfo();
  const app = initializeApp({
    apiKey: identity.apiKey,
    projectId: identity.project,
    authDomain: identity.authDomain,
  });
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] });
  if (identity.emulator) connectAuthEmulator(auth, window.location.origin, { disableWarnings: true });
  await auth.authStateReady();
  onIdTokenChanged(auth, (user) => {
    if (steps === 0) changed(identityOf(user));
  });
  return auth;
}

let steps = 0;

/**
 * Runs what takes several calls to the provider as one change: who is signed in is told when all is done, so that
 * nobody acts on an account that is not complete.
 */
export async function asOne(auth: Auth, act: () => Promise<Arrival | undefined>): Promise<void> {
  let arrival: Arrival | undefined;
  steps++;
  try {
    arrival = await act();
  } finally {
    steps--;
    changed(identityOf(auth.currentUser), arrival);
  }
}

function identityOf(user: User | null): Identity | undefined {
  if (!user) return undefined;
  return {
    id: user.uid,
    email: user.email ?? '',
    name: user.displayName ?? '',
    emailVerified: user.emailVerified,
    providers: user.providerData.map(({ providerId }) => providerId),
    factors: multiFactor(user).enrolledFactors.map(factorOf),
  };
}

export function factorOf(info: MultiFactorInfo): Factor {
  const phone = 'phoneNumber' in info && typeof info.phoneNumber === 'string' ? info.phoneNumber : '';
  return { id: info.uid, kind: info.factorId === 'totp' ? 'totp' : 'sms', label: info.displayName || phone };
}

/** @throws Error when nobody is signed in. */
export async function currentUser(): Promise<User> {
  const { currentUser: user } = await connect();
  if (!user) throw new Error('User is not signed in.');
  return user;
}

/** A sign-in that waits for its second factor: what the provider said, and how the person came in. */
interface Waiting {
  readonly auth: Auth;
  readonly error: MultiFactorError;
  readonly arrival: Arrival;
}

let waiting: Waiting | undefined;

export function waitingSignIn(): Waiting | undefined {
  return waiting;
}

/** Signs in; one that waits for a second factor is kept until it has it. @throws SecondFactorRequired */
export async function signInBy(arrival: Arrival, enter: (auth: Auth) => Promise<unknown>): Promise<void> {
  const auth = await connect();
  await asOne(auth, async () => {
    try {
      await enter(auth);
    } catch (error) {
      if (!isSecondFactorRequired(error)) throw error;
      waiting = { auth, error, arrival };
      throw new SecondFactorRequired();
    }
    waiting = undefined;
    return arrival;
  });
}

function isSecondFactorRequired(error: unknown): error is MultiFactorError {
  return error instanceof Error && 'code' in error && error.code === 'auth/multi-factor-auth-required';
}

export function signInWithPassword(email: string, password: string): Promise<void> {
  return signInBy('password', (auth) => signInWithEmailAndPassword(auth, email, password));
}

/**
 * Creates the account, with its name, and asks for the verification mail; what cannot be sent now is sent from the
 * next screen.
 */
export async function createAccount({ name, email, password }: NewAccount): Promise<void> {
  const auth = await connect();
  await asOne(auth, async () => {
    const { user } = await createUserWithEmailAndPassword(auth, email, password);
    await updateProfile(user, { displayName: name });
    // The name travels in the token.
    await user.getIdToken(true);
    const sent = await sendEmailVerification(user).then(
      () => true,
      () => false,
    );
    return sent ? 'created' : 'password';
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
  await updatePassword(await currentUser(), password);
}

/** What the provider says of a password that is not the one; which of them depends on how much it tells. */
const WRONG_PASSWORD: ReadonlySet<string> = new Set(['auth/invalid-credential', 'auth/wrong-password']);

export async function isPassword(password: string): Promise<boolean> {
  const user = await currentUser();
  try {
    await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password));
    return true;
  } catch (error) {
    const code = error instanceof FirebaseError ? error.code : '';
    if (WRONG_PASSWORD.has(code)) return false;
    // The password was right: it is the second factor that is asked for next.
    if (code === 'auth/multi-factor-auth-required') return true;
    throw error;
  }
}

export async function sendVerification(): Promise<void> {
  const { currentUser: user } = await connect();
  if (!user) throw new Error('User is not signed in. Cannot send verification email!');
  await sendEmailVerification(user);
}

/** Resolves to the address that is verified now. */
export async function applyVerification(code: string): Promise<string> {
  const auth = await connect();
  const { data } = await checkActionCode(auth, code);
  await applyActionCode(auth, code);
  if (auth.currentUser) await refresh();
  return data.email ?? '';
}

/** Asks the provider anew who this is, and for a token that says so. */
export async function refresh(): Promise<void> {
  const user = await currentUser();
  await asOne(await connect(), async () => {
    await user.reload();
    await user.getIdToken(true);
    return undefined;
  });
}

export async function passwordPolicy(): Promise<PasswordPolicy> {
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

/** The bearer of a call; a fresh one with `force`. Undefined when nobody is signed in. */
export async function idToken(force: boolean): Promise<string | undefined> {
  return (await connect()).currentUser?.getIdToken(force);
}

export async function signOut(): Promise<void> {
  waiting = undefined;
  await leave(await connect());
}

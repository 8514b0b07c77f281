import {
  getMultiFactorResolver,
  multiFactor,
  PhoneAuthProvider,
  PhoneMultiFactorGenerator,
  RecaptchaVerifier,
  TotpMultiFactorGenerator,
  type MultiFactorAssertion,
  type MultiFactorResolver,
  type PhoneInfoOptions,
  type TotpSecret,
} from 'firebase/auth';

import type { Factor } from './account.ts';
import { batchChanges, connect, getCurrentUser, toFactor, refresh, signInBy, getPendingSignIn } from './identity.ts';

// Signs in with second factors and enrolls them. Loaded together with the screens that need it.

const PRODUCT = 'Quarterdeck';

/**
 * Returns the factors of the sign-in in progress. The result is empty if there is none, such as after a page reload.
 * The user must then sign in again.
 */
export function secondFactors(): readonly Factor[] {
  return findResolver()?.hints.map(toFactor) ?? [];
}

function findResolver(): MultiFactorResolver | undefined {
  const pendingSignIn = getPendingSignIn();
  return pendingSignIn && getMultiFactorResolver(pendingSignIn.auth, pendingSignIn.error);
}

function requireResolver(): MultiFactorResolver {
  const resolver = findResolver();
  if (!resolver) throw new Error('No sign-in is waiting for a second factor.');
  return resolver;
}

/**
 * Completes the sign-in with a code from an authenticator app.
 *
 * @throws FirebaseError for a wrong code, after which the user can try another code
 */
export async function solveTotp(factorId: string, code: string): Promise<void> {
  const assertion = TotpMultiFactorGenerator.assertionForSignIn(factorId, code);
  await solve(assertion);
}

/** Sends a code to the phone of a factor. `host` is an element for the provider's CAPTCHA. */
export async function sendSmsCode(factorId: string, host: HTMLElement): Promise<string> {
  const { hints, session } = requireResolver();
  const multiFactorHint = hints.find(({ uid }) => uid === factorId);
  if (!multiFactorHint) throw new Error('There is no such second factor.');
  return verifyPhone({ multiFactorHint, session }, host);
}

export async function solveSms(verificationId: string, code: string): Promise<void> {
  const credential = PhoneAuthProvider.credential(verificationId, code);
  await solve(PhoneMultiFactorGenerator.assertion(credential));
}

async function solve(assertion: MultiFactorAssertion): Promise<void> {
  const resolver = requireResolver();
  await signInBy(getPendingSignIn()?.arrival ?? 'password', () => resolver.resolveSignIn(assertion));
}

async function verifyPhone(options: PhoneInfoOptions, host: HTMLElement): Promise<string> {
  const auth = await connect();
  const verifier = new RecaptchaVerifier(auth, host, { size: 'invisible' });
  try {
    return await new PhoneAuthProvider(auth).verifyPhoneNumber(options, verifier);
  } finally {
    verifier.clear();
  }
}

let pendingSecret: TotpSecret | undefined;

/**
 * Creates a secret for an authenticator app. Returns it in base32 for typing, and as an `otpauth:` URI for a QR code.
 */
export async function startTotp(): Promise<{ readonly secret: string; readonly uri: string }> {
  const user = await getCurrentUser();
  pendingSecret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  return { secret: pendingSecret.secretKey, uri: pendingSecret.generateQrCodeUrl(user.email ?? user.uid, PRODUCT) };
}

/** Enrolls the app with the latest secret. `code` proves that the app has it. */
export async function finishTotp(code: string, name: string): Promise<void> {
  if (!pendingSecret) throw new Error('No authenticator app is being added.');
  const assertion = TotpMultiFactorGenerator.assertionForEnrollment(pendingSecret, code);
  await multiFactor(await getCurrentUser()).enroll(assertion, name);
  pendingSecret = undefined;
  await refresh();
}

/** Sends a code to a phone to enroll. `phoneNumber` is in E.164 format, such as `+31612345678`. */
export async function startSms(phoneNumber: string, host: HTMLElement): Promise<string> {
  const session = await multiFactor(await getCurrentUser()).getSession();
  return verifyPhone({ phoneNumber, session }, host);
}

export async function finishSms(verificationId: string, code: string, name: string): Promise<void> {
  const assertion = PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(verificationId, code));
  await multiFactor(await getCurrentUser()).enroll(assertion, name);
  await refresh();
}

export async function removeFactor(id: string): Promise<void> {
  await batchChanges(await connect(), async () => {
    await multiFactor(await getCurrentUser()).unenroll(id);
    return undefined;
  });
}

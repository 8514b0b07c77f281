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
import { asOne, connect, currentUser, factorOf, refresh, signInBy, waitingSignIn } from './identity.ts';

// Second factors: answering for one while signing in, and enrolling them. For the screens that do so, which load it
// with them.

const PRODUCT = 'Quarterdeck';

/**
 * Those of the sign-in that waits for one; none when no sign-in does (the page was loaded anew meanwhile): back to
 * the sign-in form.
 */
export function secondFactors(): readonly Factor[] {
  return resolver()?.hints.map(factorOf) ?? [];
}

function resolver(): MultiFactorResolver | undefined {
  const waiting = waitingSignIn();
  return waiting && getMultiFactorResolver(waiting.auth, waiting.error);
}

function waitingResolver(): MultiFactorResolver {
  const found = resolver();
  if (!found) throw new Error('No sign-in waits for a second factor.');
  return found;
}

/**
 * Completes the sign-in with the code of an authenticator app.
 * @throws FirebaseError for a wrong code: the sign-in goes on waiting.
 */
export async function solveTotp(factorId: string, code: string): Promise<void> {
  const assertion = TotpMultiFactorGenerator.assertionForSignIn(factorId, code);
  await solve(assertion);
}

/** Sends a code to the phone of a factor. `host` is an element where the provider may ask for proof of a person. */
export async function sendSmsCode(factorId: string, host: HTMLElement): Promise<string> {
  const { hints, session } = waitingResolver();
  const multiFactorHint = hints.find(({ uid }) => uid === factorId);
  if (!multiFactorHint) throw new Error('No such second factor.');
  return verifyPhone({ multiFactorHint, session }, host);
}

export async function solveSms(verificationId: string, code: string): Promise<void> {
  const credential = PhoneAuthProvider.credential(verificationId, code);
  await solve(PhoneMultiFactorGenerator.assertion(credential));
}

async function solve(assertion: MultiFactorAssertion): Promise<void> {
  const found = waitingResolver();
  await signInBy(waitingSignIn()?.arrival ?? 'password', () => found.resolveSignIn(assertion));
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

let enrolling: TotpSecret | undefined;

/** A new secret for an authenticator app: in base 32 to type, and as the `otpauth:` URI that a QR code holds. */
export async function startTotp(): Promise<{ readonly secret: string; readonly uri: string }> {
  const user = await currentUser();
  enrolling = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
  return { secret: enrolling.secretKey, uri: enrolling.generateQrCodeUrl(user.email ?? user.uid, PRODUCT) };
}

/** Enrols the app whose secret was given last, proven by a code of it. */
export async function finishTotp(code: string, name: string): Promise<void> {
  if (!enrolling) throw new Error('No authenticator app is being added.');
  const assertion = TotpMultiFactorGenerator.assertionForEnrollment(enrolling, code);
  await multiFactor(await currentUser()).enroll(assertion, name);
  enrolling = undefined;
  await refresh();
}

/** Sends a code to a phone that is to become a factor; `phone` as `+31612345678`. */
export async function startSms(phoneNumber: string, host: HTMLElement): Promise<string> {
  const session = await multiFactor(await currentUser()).getSession();
  return verifyPhone({ phoneNumber, session }, host);
}

export async function finishSms(verificationId: string, code: string, name: string): Promise<void> {
  const assertion = PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(verificationId, code));
  await multiFactor(await currentUser()).enroll(assertion, name);
  await refresh();
}

export async function removeFactor(id: string): Promise<void> {
  await asOne(await connect(), async () => {
    await multiFactor(await currentUser()).unenroll(id);
    return undefined;
  });
}

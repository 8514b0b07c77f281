import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { olga, startTestProvider, type TestProvider, totpCode } from '#server/testkit/identity-provider.ts';

let provider: TestProvider;
let secret: string;
/** The code that the app was enrolled with. */
let usedCode: string;
/** The tokens of the user, who has signed in with the app. */
let idToken: string | undefined;
let refreshToken: string | undefined;

beforeAll(async () => {
  provider = await startTestProvider();
}, 60_000);
afterAll(() => provider.close());

const signIn = () => provider.call('v1/accounts:signInWithPassword', { ...olga, returnSecureToken: true });
const enroll = (step: 'start' | 'finalize', body: object) => provider.call(`v2/accounts/mfaEnrollment:${step}`, body);
const finalize = (body: object) => provider.call('v2/accounts/mfaSignIn:finalize', body);
const factorOf = (token = '') => (decodeJwt(token).firebase as Record<string, unknown>).sign_in_second_factor;

/** Signs in with the password, and then with a code from the app. */
async function signInWithCode(code: string) {
  const { mfaPendingCredential, mfaInfo = [] } = await signIn();
  const mfaEnrollmentId = mfaInfo.find(({ totpInfo }) => totpInfo)?.mfaEnrollmentId;
  return finalize({ mfaPendingCredential, mfaEnrollmentId, totpVerificationInfo: { verificationCode: code } });
}

describe('an authenticator app', () => {
  test('is enrolled after a valid code', async () => {
    ({ idToken } = await signIn());
    const { totpSessionInfo } = await enroll('start', { idToken, totpEnrollmentInfo: {} });
    const { sessionInfo, sharedSecretKey } = totpSessionInfo as { sessionInfo: string; sharedSecretKey: string };
    secret = sharedSecretKey;
    const submit = (verificationCode: string) =>
      enroll('finalize', { idToken, displayName: 'Phone', totpVerificationInfo: { sessionInfo, verificationCode } });
    await expect(submit('nonsense')).resolves.toMatchObject({ error: { message: 'INVALID_CODE' } });
    usedCode = totpCode(secret);
    const enrollment = await submit(usedCode);
    expect(factorOf(enrollment.idToken)).toBe('totp');
    ({ refreshToken } = enrollment);
    const { users } = await provider.call('v1/accounts:lookup', { idToken: enrollment.idToken });
    expect(users).toMatchObject([{ mfaInfo: [{ displayName: 'Phone', totpInfo: {} }] }]);
    expect(JSON.stringify(users)).not.toMatch(new RegExp(`${secret}|${olga.password}`));
  });

  test('is required at the next sign-in and accepts each code once', async () => {
    await provider.restart();
    const tokens = await provider.call('v1/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
    expect(factorOf(String(tokens.id_token))).toBe('totp');
    expect(await signIn()).not.toHaveProperty('idToken');
    await expect(signInWithCode(usedCode)).resolves.toMatchObject({ error: { message: 'INVALID_CODE' } });
    const code = totpCode(secret, 1);
    ({ idToken } = await signInWithCode(code));
    expect(factorOf(idToken)).toBe('totp');
    await expect(signInWithCode(code)).resolves.toMatchObject({ error: { message: 'INVALID_CODE' } });
  });

  test('ends a sign-in after five wrong codes', async () => {
    const { mfaPendingCredential, mfaInfo: [app] = [] } = await signIn();
    const submit = (verificationCode: string) =>
      finalize({
        mfaPendingCredential,
        mfaEnrollmentId: app?.mfaEnrollmentId,
        totpVerificationInfo: { verificationCode },
      });
    for (let attempt = 0; attempt < 5; attempt++) expect((await submit('000000')).error?.message).toBe('INVALID_CODE');
    expect((await submit(totpCode(secret, 1))).error?.message).toContain('TOO_MANY_ATTEMPTS_TRY_LATER');
  });

  test("can't be bypassed with a forged sign-in", async () => {
    const forgedCredential = { _AuthEmulatorMfaPendingCredential: 'yes', localId: olga.id, projectId: 'demo-test' };
    const mfaPendingCredential = Buffer.from(JSON.stringify(forgedCredential)).toString('base64');
    for (const step of ['start', 'finalize']) {
      const response = await provider.call(`v2/accounts/mfaSignIn:${step}`, {
        mfaPendingCredential,
        mfaEnrollmentId: 'x',
      });
      expect(response.error?.message).toBe('INVALID_MFA_PENDING_CREDENTIAL');
    }
  });

  test('requires a verified address', async () => {
    const noor = { email: 'noor@example.com', password: 'Battery-staple-1' };
    const account = await provider.call('v1/accounts:signUp', noor);
    const response = await enroll('start', { idToken: account.idToken, totpEnrollmentInfo: {} });
    expect(response.error?.message).toContain('UNVERIFIED_EMAIL');
  });
});

describe('a phone', () => {
  test('is enrolled and signs in with the code sent to it', async () => {
    const enrollment = await enroll('start', { idToken, phoneEnrollmentInfo: { phoneNumber: '+31612345678' } });
    const { sessionInfo } = enrollment.phoneSessionInfo as { sessionInfo: string };
    const code = await provider.waitForCode('sms-code');
    await enroll('finalize', { idToken, displayName: 'SMS', phoneVerificationInfo: { sessionInfo, code } });

    const { mfaPendingCredential, mfaInfo = [] } = await signIn();
    expect(mfaInfo).toMatchObject([{ totpInfo: {} }, { displayName: 'SMS', phoneInfo: '+*******5678' }]);
    const mfaEnrollmentId = mfaInfo[1]?.mfaEnrollmentId;
    const challenge = await provider.call('v2/accounts/mfaSignIn:start', { mfaPendingCredential, mfaEnrollmentId });
    const phone = challenge.phoneResponseInfo as { sessionInfo: string };
    const verification = { sessionInfo: phone.sessionInfo, code: await provider.waitForCode('sms-code') };
    const tokens = await finalize({ mfaPendingCredential, phoneVerificationInfo: verification });
    expect(factorOf(tokens.idToken)).toBe('phone');
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { olga, startTestProvider, type TestProvider } from '#server/testkit/identity-provider.ts';

let provider: TestProvider;

beforeAll(async () => {
  provider = await startTestProvider();
}, 60_000);
afterAll(() => provider.close());

const signIn = async (email: string, password: string) => {
  const { error, idToken } = await provider.call('v1/accounts:signInWithPassword', { email, password });
  return error?.message ?? (idToken === undefined ? 'no token' : 'in');
};
const signUp = (email: string, password: string) => provider.call('v1/accounts:signUp', { email, password });
const send = (body: object) => provider.call('v1/accounts:sendOobCode', body);
const WEAK = 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [';

describe('a new password', () => {
  test('must meet the policy at sign-up, on change, and on reset', async () => {
    expect((await signUp('noor@example.com', 'weakling')).error?.message).toContain(WEAK);
    const { idToken } = await signUp('noor@example.com', 'Battery-staple-1');
    const change = await provider.call('v1/accounts:update', { idToken, password: 'weakling' });
    expect(change.error?.message).toContain(WEAK);

    await send({ requestType: 'PASSWORD_RESET', email: 'noor@example.com' });
    const oobCode = await provider.waitForCode('reset-password');
    const reset = (newPassword: string) => provider.call('v1/accounts:resetPassword', { oobCode, newPassword });
    expect((await reset('weakling')).error?.message).toContain(WEAK);
    expect(await reset('Battery-staple-2')).toMatchObject({ email: 'noor@example.com' });
    expect((await reset('Battery-staple-3')).error?.message).toBe('INVALID_OOB_CODE');
    expect(await signIn('noor@example.com', 'Battery-staple-2')).toBe('in');
  });

  test('ends earlier sessions', async () => {
    const { refreshToken } = await signUp('piet@example.com', 'Battery-staple-1');
    const renew = () => provider.call('v1/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
    expect(await renew()).toHaveProperty('id_token');
    await send({ requestType: 'PASSWORD_RESET', email: 'piet@example.com' });
    const oobCode = await provider.waitForCode('reset-password');
    await provider.call('v1/accounts:resetPassword', { oobCode, newPassword: 'Battery-staple-2' });
    expect((await renew()).error?.message).toBe('TOKEN_EXPIRED');
  });
});

describe('emails', () => {
  test('are sent to the server, and responses omit their codes', async () => {
    const { idToken } = await signUp('ruth@example.com', 'Battery-staple-1');
    const response = await send({ requestType: 'VERIFY_EMAIL', idToken, returnOobLink: true });
    expect(Object.keys(response).toSorted()).toEqual(['email', 'kind']);
    const verified = await provider.call('v1/accounts:update', { oobCode: await provider.waitForCode('verify-email') });
    expect(verified).toMatchObject({ email: 'ruth@example.com', emailVerified: true });
  });

  test('do not reveal who has an account', async () => {
    const unknownResponse = await send({ requestType: 'PASSWORD_RESET', email: 'nobody@example.com' });
    const response = await send({ requestType: 'PASSWORD_RESET', email: olga.email });
    expect({ ...unknownResponse, email: '' }).toEqual({ ...response, email: '' });
    await provider.waitForCode('reset-password');
    expect(provider.notices).toEqual([]);
  });
});

describe('wrong passwords', () => {
  test('temporarily block the right password, even for an unknown account', async () => {
    for (const email of [olga.email, 'nobody@example.com']) {
      const first = await Promise.all(Array.from({ length: 10 }, () => signIn(email, 'wrong')));
      expect(new Set(first)).toEqual(new Set(['INVALID_LOGIN_CREDENTIALS']));
      expect(await signIn(email, 'wrong')).toContain('TOO_MANY_ATTEMPTS_TRY_LATER');
      expect(await signIn(email.toUpperCase(), olga.password)).toContain('TOO_MANY_ATTEMPTS_TRY_LATER');
    }
  });

  test('no longer count after a password reset by email', async () => {
    await send({ requestType: 'PASSWORD_RESET', email: olga.email });
    const oobCode = await provider.waitForCode('reset-password');
    await provider.call('v1/accounts:resetPassword', { oobCode, newPassword: 'Correct-horse-2' });
    expect(await signIn(olga.email, 'Correct-horse-2')).toBe('in');
  });
});

describe("forbidden changes to one's own account", () => {
  test('are rejected or ignored', async () => {
    const { idToken } = await signUp('sjors@example.com', 'Battery-staple-1');
    const update = (body: object) => provider.call('v1/accounts:update', { idToken, ...body });
    expect((await update({ email: 'olga@elsewhere.example' })).error?.message).toContain('OPERATION_NOT_ALLOWED');
    await update({ emailVerified: true, mfa: { enrollments: [{ phoneInfo: '+31612345678', mfaEnrollmentId: 'x' }] } });
    const { users } = await provider.call('v1/accounts:lookup', { idToken });
    expect(users).toMatchObject([{ emailVerified: false }]);
    expect(JSON.stringify(users)).not.toContain('mfaInfo');
    const tenant = { email: 'x@example.com', password: 'Battery-staple-1', tenantId: 'own' };
    expect((await provider.call('v1/accounts:signUp', tenant)).error?.message).toBe('UNSUPPORTED_TENANT_OPERATION');
    expect((await provider.call('v1/accounts:signUp', {})).error?.message).toBe('ADMIN_ONLY_OPERATION');
  });
});

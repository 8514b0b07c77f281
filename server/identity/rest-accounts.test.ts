import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { olga, startTestProvider, type TestProvider } from '#server/testkit/identity-provider.ts';

import {
  AccountsError,
  EmailTakenError,
  type IdentityAccounts,
  SignInTooOldError,
  WeakPasswordError,
} from './accounts.ts';
import { restAccounts } from './rest-accounts.ts';

let provider: TestProvider;
let accounts: IdentityAccounts;

beforeAll(async () => {
  provider = await startTestProvider();
  accounts = restAccounts(`http://127.0.0.1:${provider.port}/identitytoolkit.googleapis.com`, 'any');
}, 60_000);
afterAll(() => provider.close());

const noor = { email: 'noor@example.com', name: 'Noor', password: 'Battery-staple-1' };
const signIn = () => provider.call('v1/accounts:signInWithPassword', noor);

describe('accounts over the REST API of Identity Toolkit', () => {
  test('are created with their name and receive a verification email', async () => {
    const { id } = await accounts.create({ ...noor, sendVerification: true });
    const { idToken = '' } = await signIn();
    expect(decodeJwt(idToken)).toMatchObject({ sub: id, email: noor.email, name: 'Noor' });
    await provider.call('v1/accounts:update', { oobCode: await provider.waitForCode('verify-email') });
    expect(decodeJwt((await signIn()).idToken ?? '')).toMatchObject({ email_verified: true });
  });

  test('can be created without a password, and receive an email to set one', async () => {
    await accounts.create({ email: 'piet@example.com', name: '', sendVerification: false });
    await accounts.sendPasswordReset('piet@example.com');
    const oobCode = await provider.waitForCode('reset-password');
    const set = await provider.call('v1/accounts:resetPassword', { oobCode, newPassword: noor.password });
    expect(set).toMatchObject({ email: 'piet@example.com' });
  });

  test('fail with a specific error', async () => {
    await expect(accounts.create({ ...olga, sendVerification: false })).rejects.toThrow(EmailTakenError);
    const weakAccount = { email: 'ruth@example.com', name: 'Ruth', password: 'weak', sendVerification: false };
    await expect(accounts.create(weakAccount)).rejects.toThrow(WeakPasswordError);
    await expect(accounts.create(weakAccount)).rejects.toThrow('at least 8 characters');
    await expect(accounts.create({ ...noor, email: 'none', sendVerification: false })).rejects.toThrow(AccountsError);
    await expect(accounts.sendPasswordReset('nobody@example.com')).resolves.toBeUndefined();
  });

  test('can be deleted by their user, and deleting them again succeeds', async () => {
    const { idToken = '' } = await signIn();
    await accounts.remove({ idToken });
    await expect(signIn()).resolves.toMatchObject({ error: { message: 'INVALID_LOGIN_CREDENTIALS' } });
    await expect(accounts.remove({ idToken })).resolves.toBeUndefined();
  });

  test("can't be deleted after a sign-in that the provider considers too old", async () => {
    const strictServer = createServer((_, response) =>
      response.end(JSON.stringify({ error: { message: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN' } })),
    );
    await new Promise<void>((resolve) => strictServer.listen(0, '127.0.0.1', resolve));
    const { port } = strictServer.address() as AddressInfo;
    await expect(restAccounts(`http://127.0.0.1:${port}`, 'any').remove({ idToken: 'old' })).rejects.toThrow(
      SignInTooOldError,
    );
    strictServer.close();
  });

  test("fail with a clear error when the provider can't be reached", async () => {
    await expect(restAccounts('http://127.0.0.1:9', 'any').sendPasswordReset(olga.email)).rejects.toThrow('reached');
  });
});

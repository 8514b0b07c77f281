import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, describe, expect, test } from 'vitest';

import { createSealer } from '#server/base/secrets.ts';

import { openAccountsFile } from './emulator/accounts-file.ts';
import { startIdentityProvider } from './provider.ts';
import { unsecuredVerifier } from './unsecured.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-identity-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const olga = { id: 'user-olga', email: 'olga@example.com', name: 'Olga', password: 'correct horse' };
const noor = { id: 'user-noor', email: 'noor@example.com', name: 'Noor', password: 'battery staple' };
const signIn = new Set(['password', 'google'] as const);
const options = { project: 'demo-test', signIn, folder, sealingKey: randomBytes(32) };

async function call(port: number, method: string, body: object): Promise<Record<string, unknown>> {
  const url = `http://127.0.0.1:${port}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=any`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

const signInWith = (port: number, { email, password }: { email: string; password: string }) =>
  call(port, 'signInWithPassword', { email, password, returnSecureToken: true });

/** Like `fetch`, but can set the `host` header. */
const request = (url: string, headers: Record<string, string>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => resolve(response.resume())).once('error', reject);
  });

describe('the embedded identity provider', () => {
  test('offers its sign-in methods and keeps a changed password across a restart', { timeout: 120_000 }, async () => {
    const first = await startIdentityProvider({ ...options, people: [olga] });
    const { idToken } = await signInWith(first.port, olga);
    await expect(unsecuredVerifier('demo-test').verify(String(idToken))).resolves.toMatchObject({
      subject: olga.id,
      email: olga.email,
      name: 'Olga',
    });
    await expect(signInWith(first.port, { ...olga, password: 'wrong' })).resolves.toMatchObject({
      error: { message: 'INVALID_LOGIN_CREDENTIALS' },
    });
    await call(first.port, 'update', { idToken, password: 'Changed-it-1' });
    await first.close();
    expect(readFileSync(join(folder, 'accounts.sealed'), 'utf8')).not.toContain('Changed-it-1');

    const second = await startIdentityProvider({ ...options, signIn: new Set(['password']), people: [olga, noor] });
    const secondSignIn = await signInWith(second.port, { ...olga, password: 'Changed-it-1' });
    const { users } = await call(second.port, 'lookup', { idToken: secondSignIn['idToken'] });
    expect(users).toMatchObject([{ providerUserInfo: [{ providerId: 'password' }] }]);
    await expect(signInWith(second.port, olga)).resolves.toHaveProperty('error');
    await expect(signInWith(second.port, noor)).resolves.toHaveProperty('idToken');
    const google = { requestUri: 'http://localhost', postBody: 'providerId=google.com&id_token={"sub":"1"}' };
    await expect(call(second.port, 'signInWithIdp', google)).resolves.toHaveProperty('error');
    // A web page that found the port is turned away, whatever it requests.
    const projectsUrl = `http://127.0.0.1:${second.port}/identitytoolkit.googleapis.com/v1/projects?key=any`;
    const status = async (headers: Record<string, string>) => (await request(projectsUrl, headers)).statusCode;
    expect(await status({})).toBe(200);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ host: `evil.example:${second.port}` })).toBe(403);
    await second.close();
  });

  test('acknowledges an account only after saving it, so a kill loses none', { timeout: 180_000 }, async () => {
    const ownFolder = join(folder, 'killed');
    const key = randomBytes(32).toString('base64');
    const file = openAccountsFile(join(ownFolder, 'accounts.sealed'), createSealer(Buffer.from(key, 'base64')));
    const script = fileURLToPath(new URL('../../testkit/identity-provider-process.ts', import.meta.url));
    const acknowledgedEmails: string[] = [];
    for (let kill = 0; kill < 3; kill += 1) {
      const server = fork(script, [ownFolder, key], { execArgv: ['--import', 'tsx'] });
      const [port] = (await once(server, 'message')) as [number];
      await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const email = `someone-${kill}-${index}@example.com`;
          const response = await call(port, 'signUp', { email, password: 'Some-password-1' });
          // The file must already contain the account because the process can be killed right after the response.
          const emails = (await file.load()).map((account) => account.email);
          expect([response['email'], emails]).toEqual([email, expect.arrayContaining([email])]);
          acknowledgedEmails.push(email);
        }),
      );
      server.kill('SIGKILL');
      await once(server, 'exit');
      const emails = (await file.load()).map((account) => account.email);
      expect(emails).toEqual(expect.arrayContaining(acknowledgedEmails));
    }
  });

  test("reports that it can't save accounts to the disk, and keeps running", { timeout: 60_000 }, async () => {
    const ownFolder = join(folder, 'full');
    const provider = await startIdentityProvider({ ...options, folder: ownFolder, people: [olga] });
    const reasons: string[] = [];
    provider.onNotSaved((reason) => reasons.push(reason));
    const account = { email: 'late@example.com', password: 'Some-password-1' };
    // A folder in place of the new file can't be written to, just like a full disk.
    mkdirSync(join(ownFolder, 'accounts.sealed.new'));
    expect(await call(provider.port, 'signUp', account)).toMatchObject({ error: { code: 503 } });
    expect(reasons).toEqual([expect.stringContaining('EISDIR')]);
    rmSync(join(ownFolder, 'accounts.sealed.new'), { recursive: true });
    expect(await signInWith(provider.port, olga)).toHaveProperty('idToken');
    await provider.close();
  });

  test('rejects a project that could be real', async () => {
    await expect(startIdentityProvider({ ...options, project: 'acme-prod', people: [] })).rejects.toThrow('demo');
  });
});

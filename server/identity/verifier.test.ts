import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { unsecuredVerifier } from '#server/demo/identity/unsecured.ts';

import { googleVerifier } from './google.ts';
import { InvalidIdentityError, issuerOf } from './verifier.ts';

const PROJECT = 'acme-prod';
const claims = { email: 'olga@example.com', name: 'Olga', auth_time: 1_700_000_000 };
const now = () => Math.floor(Date.now() / 1000);

interface Change {
  readonly issuer?: string;
  readonly audience?: string;
  readonly expiresAt?: number;
  readonly claims?: object;
  /** Now by default. */
  readonly iat?: number;
}

let keys: { privateKey: CryptoKey; publicKey: CryptoKey };
let rotatedKeys: { privateKey: CryptoKey; publicKey: CryptoKey };
/** The current content of the key set, keyed by key id. */
let publishedKeyIds: string[];
let server: Server;
let keySet: URL;

beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  rotatedKeys = await generateKeyPair('RS256');
  publishedKeyIds = ['one'];
  const publicKeys = [
    { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(rotatedKeys.publicKey)), kid: 'two', alg: 'RS256', use: 'sig' },
  ];
  server = createServer((_, response) => {
    response.end(JSON.stringify({ keys: publicKeys.filter(({ kid }) => publishedKeyIds.includes(kid)) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  keySet = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

afterAll(() => server.close());

const signToken = (change: Change = {}, key: CryptoKey | Uint8Array = keys.privateKey, header: object = {}) =>
  new SignJWT({ ...claims, ...change.claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
    .setSubject('olga')
    .setIssuedAt(change.iat)
    .setIssuer(change.issuer ?? issuerOf(PROJECT))
    .setAudience(change.audience ?? PROJECT)
    .setExpirationTime(change.expiresAt ?? now() + 3600)
    .sign(key);

const unsignedToken = (change: Change = {}, project = 'demo-test') =>
  new UnsecuredJWT({ ...claims, ...change.claims })
    .setSubject('olga')
    .setIssuedAt()
    .setIssuer(change.issuer ?? issuerOf(project))
    .setAudience(change.audience ?? project)
    .setExpirationTime(change.expiresAt ?? now() + 3600)
    .encode();

describe('ID tokens from Google', () => {
  test('identify the caller', async () => {
    const expiresAt = now() + 3000;
    await expect(googleVerifier(PROJECT, keySet).verify(await signToken({ expiresAt }))).resolves.toEqual({
      subject: 'olga',
      email: 'olga@example.com',
      name: 'Olga',
      emailVerified: false,
      provider: '',
      secondFactor: false,
      authenticatedAt: new Date(1_700_000_000_000),
      expiresAt: new Date(expiresAt * 1000),
    });
  });

  test('state how the caller signed in', async () => {
    const firebase = { sign_in_provider: 'google.com', sign_in_second_factor: 'totp' };
    const token = await signToken({ claims: { email_verified: true, firebase } });
    await expect(googleVerifier(PROJECT, keySet).verify(token)).resolves.toMatchObject({
      emailVerified: true,
      provider: 'google.com',
      secondFactor: true,
    });
    const tokenWithInvalidClaims = await signToken({ claims: { email_verified: 'true', firebase: 'google.com' } });
    await expect(googleVerifier(PROJECT, keySet).verify(tokenWithInvalidClaims)).resolves.toMatchObject({
      emailVerified: false,
      provider: '',
      secondFactor: false,
    });
  });

  test('are accepted when signed with a newly published key', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const verifier = googleVerifier(PROJECT, keySet);
      await verifier.verify(await signToken());
      publishedKeyIds = ['two'];
      const token = await signToken({ expiresAt: now() + 7200 }, rotatedKeys.privateKey, { kid: 'two' });
      // Keys are not fetched again for every token with an unknown key.
      vi.setSystemTime(Date.now() + 31_000);
      await expect(verifier.verify(token)).resolves.toMatchObject({ subject: 'olga' });
      await expect(verifier.verify(await signToken())).rejects.toThrow('signature');
    } finally {
      publishedKeyIds = ['one'];
      vi.useRealTimers();
    }
  });

  test('are rejected when signed with the public key as a shared secret', async () => {
    const secrets = [await exportSPKI(keys.publicKey), JSON.stringify(await exportJWK(keys.publicKey))];
    for (const secret of secrets) {
      const forgedToken = await signToken({}, new TextEncoder().encode(secret), { alg: 'HS256' });
      await expect(googleVerifier(PROJECT, keySet).verify(forgedToken)).rejects.toThrow(InvalidIdentityError);
    }
  });

  test('are rejected when expired, forged, changed, unsigned, or for another project or issuer', async () => {
    const verifier = googleVerifier(PROJECT, keySet);
    const forgedToken = await signToken({}, (await generateKeyPair('RS256')).privateKey);
    const [head, , signature] = (await signToken()).split('.');
    const tamperedToken = [head, (await signToken({ claims: { name: 'Mallory' } })).split('.')[1], signature].join('.');
    const invalidTokens: [string, string][] = [
      [await signToken({ expiresAt: now() - 10 }), 'expired'],
      [await signToken({ audience: 'other' }), '"aud"'],
      [await signToken({ issuer: issuerOf('other') }), '"iss"'],
      [await signToken({ claims: { email: undefined } }), 'email'],
      [forgedToken, 'signature'],
      [tamperedToken, 'signature'],
      [unsignedToken({}, PROJECT), 'malformed'],
      ['nonsense', 'malformed'],
    ];
    for (const [token, reason] of invalidTokens) {
      await expect(verifier.verify(token)).rejects.toThrow(InvalidIdentityError);
      await expect(verifier.verify(token)).rejects.toThrow(reason);
    }
  });

  test('are rejected when dated in the future, beyond clock skew', async () => {
    const verifier = googleVerifier(PROJECT, keySet);
    const signedInAt = (seconds: number) => ({ claims: { auth_time: now() + seconds } });
    await expect(verifier.verify(await signToken(signedInAt(30)))).resolves.toBeDefined();
    await expect(verifier.verify(await signToken(signedInAt(120)))).rejects.toThrow('sign-in time in the future');
    await expect(verifier.verify(await signToken(signedInAt(-1e12)))).rejects.toThrow("doesn't state when");
    const futureToken = await signToken({ iat: now() + 120 });
    await expect(verifier.verify(futureToken)).rejects.toThrow('issue time in the future');
    await expect(unsecuredVerifier('demo-test').verify(unsignedToken(signedInAt(120)))).rejects.toThrow(
      'in the future',
    );
  });

  test('have their name cleaned and are rejected with an invalid address', async () => {
    const verifier = googleVerifier(PROJECT, keySet);
    const nameFor = async (name: string) => (await verifier.verify(await signToken({ claims: { name } }))).name;
    expect(await nameFor('x'.repeat(5001))).toBe('x'.repeat(200));
    expect(await nameFor('\u202EOlga\n\u200B Petrova')).toBe('Olga Petrova');
    expect(await nameFor('\u3164')).toBe('');
    for (const email of [
      'olga',
      'ol\u200Bga@example.com',
      'olga@example.com\u202E',
      `${'x'.repeat(250)}@example.com`,
    ]) {
      await expect(verifier.verify(await signToken({ claims: { email } }))).rejects.toThrow('an invalid email address');
    }
  });

  test("are not reported as invalid if the keys can't be fetched", async () => {
    const unreachable = googleVerifier(PROJECT, new URL('http://127.0.0.1:9/'));
    await expect(unreachable.verify(await signToken())).rejects.not.toThrow(InvalidIdentityError);
  });
});

describe('unsigned ID tokens', () => {
  test('are accepted for a demo project, and rejected when expired, foreign, or signed', async () => {
    const verifier = unsecuredVerifier('demo-test');
    await expect(verifier.verify(unsignedToken())).resolves.toMatchObject({ subject: 'olga' });
    await expect(verifier.verify(unsignedToken({ expiresAt: now() - 10 }))).rejects.toThrow('expired');
    await expect(verifier.verify(unsignedToken({ audience: 'demo-other' }))).rejects.toThrow('"aud"');
    await expect(verifier.verify(await signToken())).rejects.toThrow(InvalidIdentityError);
  });

  test('are never accepted for a project that could be real', () => {
    expect(() => unsecuredVerifier('acme-prod')).toThrow('demo-');
  });
});

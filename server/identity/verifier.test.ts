import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { googleVerifier } from './google.ts';
import { unsecuredVerifier } from './unsecured.ts';
import { InvalidIdentity, issuerOf } from './verifier.ts';

const project = 'acme-prod';
const claims = { email: 'olga@example.com', name: 'Olga', auth_time: 1_700_000_000 };
const now = () => Math.floor(Date.now() / 1000);

interface Change {
  issuer?: string;
  audience?: string;
  expiresAt?: number;
  claims?: object;
}

let keys: { privateKey: CryptoKey; publicKey: CryptoKey };
let server: Server;
let keySet: URL;

beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  keySet = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

afterAll(() => server.close());

const signed = (change: Change = {}, key = keys.privateKey) =>
  new SignJWT({ ...claims, ...change.claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setSubject('olga')
    .setIssuedAt()
    .setIssuer(change.issuer ?? issuerOf(project))
    .setAudience(change.audience ?? project)
    .setExpirationTime(change.expiresAt ?? now() + 3600)
    .sign(key);

const unsigned = (change: Change = {}, of = 'demo-test') =>
  new UnsecuredJWT({ ...claims, ...change.claims })
    .setSubject('olga')
    .setIssuedAt()
    .setIssuer(change.issuer ?? issuerOf(of))
    .setAudience(change.audience ?? of)
    .setExpirationTime(change.expiresAt ?? now() + 3600)
    .encode();

describe('ID tokens from Google', () => {
  it('say who is calling', async () => {
    await expect(googleVerifier(project, keySet).verify(await signed())).resolves.toEqual({
      subject: 'olga',
      email: 'olga@example.com',
      name: 'Olga',
      emailVerified: false,
      provider: '',
      secondFactor: false,
      authenticatedAt: new Date(1_700_000_000_000),
    });
  });

  it('are refused when expired, for another project, from another issuer, forged, changed or unsigned', async () => {
    const verifier = googleVerifier(project, keySet);
    const forged = await signed({}, (await generateKeyPair('RS256')).privateKey);
    const [head, , signature] = (await signed()).split('.');
    const changed = [head, (await signed({ claims: { name: 'Mallory' } })).split('.')[1], signature].join('.');
    const wrong: [string, string][] = [
      [await signed({ expiresAt: now() - 10 }), 'expired'],
      [await signed({ audience: 'other' }), '"aud"'],
      [await signed({ issuer: issuerOf('other') }), '"iss"'],
      [await signed({ claims: { email: undefined } }), 'email'],
      [forged, 'signature'],
      [changed, 'signature'],
      [unsigned({}, project), 'malformed'],
      ['nonsense', 'malformed'],
    ];
    for (const [token, why] of wrong) {
      await expect(verifier.verify(token)).rejects.toThrow(InvalidIdentity);
      await expect(verifier.verify(token)).rejects.toThrow(why);
    }
  });

  it('are not called wrong when the keys cannot be fetched', async () => {
    const unreachable = googleVerifier(project, new URL('http://127.0.0.1:9/'));
    await expect(unreachable.verify(await signed())).rejects.not.toThrow(InvalidIdentity);
  });
});

describe('unsigned ID tokens', () => {
  it('are read for a demo project, and refused when expired, foreign or signed', async () => {
    const verifier = unsecuredVerifier('demo-test');
    await expect(verifier.verify(unsigned())).resolves.toMatchObject({ subject: 'olga' });
    await expect(verifier.verify(unsigned({ expiresAt: now() - 10 }))).rejects.toThrow('expired');
    await expect(verifier.verify(unsigned({ audience: 'demo-other' }))).rejects.toThrow('"aud"');
    await expect(verifier.verify(await signed())).rejects.toThrow(InvalidIdentity);
  });

  it('are never read for a project that could be real', () => {
    expect(() => unsecuredVerifier('acme-prod')).toThrow('demo-');
  });
});

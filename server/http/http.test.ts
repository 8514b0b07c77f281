import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { Code, createClient, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CertificateService } from '#proto/gen/hiber/certificate_pb.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { ServerService } from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { ListenError, listen, type Listener } from './connection/listener.ts';
import { createHandler } from './handler.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-console-'));
const stopController = new AbortController();
const forwardedRequests: IncomingMessage[] = [];
const provider = createServer((request, response) => {
  forwardedRequests.push(request);
  response.setHeader('content-type', 'application/json').end('{"signed":"in"}');
});
let t: TestServer;
let server: Listener;
let base: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(join(folder, 'assets/main-abc.js'), 'export {};');
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  t = await startTestServer();
  const handler = createHandler(t.app, {
    consoleFolder: folder,
    identityPort: (provider.address() as AddressInfo).port,
    shutdown: stopController.signal,
  });
  server = await listen(handler, '127.0.0.1', 0);
  base = `http://127.0.0.1:${server.port}`;
});

afterAll(async () => {
  stopController.abort();
  await server.close();
  provider.close();
  await t.close();
  rmSync(folder, { recursive: true });
});

const transports: [string, () => Transport][] = [
  ['native gRPC', () => createGrpcTransport({ baseUrl: base })],
  ['gRPC-web', () => createGrpcWebTransport({ baseUrl: base, httpVersion: '1.1' })],
  ['Connect', () => createConnectTransport({ baseUrl: base, httpVersion: '1.1' })],
  ['Connect over HTTP/2', () => createConnectTransport({ baseUrl: base, httpVersion: '2' })],
];

describe.each(transports)('the server over %s, on the same port,', (_, transport) => {
  test('answers calls with and without authentication', async () => {
    await expect(createClient(ServerService, transport()).info({})).resolves.toMatchObject({ version: '0.0.0-test' });
    const headers = { authorization: `Bearer ${t.as('viewer').bearer}` };
    const user = createClient(CurrentUserService, transport());
    await expect(user.currentUser({}, { headers })).resolves.toMatchObject({ name: 'Bram de Wit' });
    await expect(user.currentUser({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  test('returns UNIMPLEMENTED for an unserved rpc', async () => {
    const headers = { authorization: `Bearer ${t.as('administrator').bearer}` };
    const call = createClient(CertificateService, transport()).list({}, { headers });
    await expect(call).rejects.toMatchObject({ code: Code.Unimplemented });
  });

  test('rejects a message that is too large', async () => {
    const headers = { authorization: `Bearer ${t.as('viewer').bearer}` };
    const call = createClient(CurrentUserService, transport()).updateMissionControlSettings(
      { update: 'x'.repeat(5 * 1024 * 1024) },
      { headers },
    );
    await expect(call).rejects.toMatchObject({ code: Code.ResourceExhausted });
  });
});

const navigate = (path: string) => fetch(base + path, { headers: { accept: 'text/html' } });

describe('the console', () => {
  test('is served at every address, with a strict policy', async () => {
    for (const path of ['/', '/devices?filter=health', '/settings/tags']) {
      const page = await navigate(path);
      expect(await page.text()).toContain('<title>Console');
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain(`script-src 'self';`);
      expect(policy).toContain(`connect-src 'self';`);
      expect(policy).toContain(`frame-ancestors 'none'`);
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-cache');
    }
    const script = await fetch(`${base}/assets/main-abc.js`);
    expect(script.headers.get('cache-control')).toContain('immutable');
  });

  test('is compressed for clients that accept it, at every address of a file', async () => {
    writeFileSync(join(folder, 'index.html.gz'), gzipSync('<title>Compressed</title>'));
    for (const path of ['/', '/index.html', '/devices']) {
      const page = await navigate(path);
      expect([page.headers.get('content-encoding'), await page.text()], path).toEqual([
        'gzip',
        '<title>Compressed</title>',
      ]);
      expect(page.headers.get('content-type'), path).toBe('text/html; charset=utf-8');
    }
    rmSync(join(folder, 'index.html.gz'));
  });

  test('is not served for an rpc, a missing script, or another method', async () => {
    expect((await navigate('/hiber.no.SuchService/List')).status).toBe(404);
    expect((await navigate('/assets/missing.js')).status).toBe(404);
    expect((await fetch(`${base}/devices`)).status).toBe(404);
    expect((await fetch(`${base}/devices`, { method: 'POST', headers: { accept: 'text/html' } })).status).toBe(404);
  });
});

describe('a demo', () => {
  test("answers only requests for this machine's host names, to prevent DNS rebinding", async () => {
    const status = (host: string) =>
      new Promise((resolve, reject) => {
        const request = get(base, { headers: { host }, agent: false }, (response) =>
          resolve(response.resume().statusCode),
        );
        request.once('error', reject);
      });
    expect(await status('evil.example:7878')).toBe(421);
    expect(await status('127.0.0.1.evil.example')).toBe(421);
    expect(await status(`localhost:${server.port}`)).toBe(200);
  });
});

describe('signing in', () => {
  test("is proxied to the identity provider, without the caller's authorization header", async () => {
    const path = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any';
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
      body: '{}',
    });
    expect(await response.json()).toEqual({ signed: 'in' });
    expect(forwardedRequests.at(-1)).toMatchObject({ url: path, method: 'POST' });
    expect(forwardedRequests.at(-1)?.headers.authorization).toBeUndefined();
    expect(forwardedRequests.at(-1)?.headers['x-forwarded-for']).toBe('127.0.0.1');
  });

  test('hides the rest of the identity provider', async () => {
    const before = forwardedRequests.length;
    for (const [method, path] of [
      ['DELETE', '/emulator/v1/projects/demo-test/accounts'],
      ['GET', '/emulator/v1/projects/demo-test/oobCodes'],
      ['GET', '/emulator/auth/iframe'],
      ['POST', '/identitytoolkit.googleapis.com/v1/accounts:delete'],
      ['POST', '/identitytoolkit.googleapis.com/v1/projects/demo-test/accounts:batchGet'],
      ['POST', '/identitytoolkit.googleapis.com/v1/accounts:signUp/../projects/demo-test/accounts'],
    ] as const) {
      expect((await fetch(base + path, { method })).status, path).toBe(404);
    }
    expect(forwardedRequests).toHaveLength(before);
  });
});

describe('the listener', () => {
  test('reports that a port is taken', async () => {
    await expect(listen(() => undefined, '127.0.0.1', server.port)).rejects.toThrow(ListenError);
  });

  test('closes immediately despite idle connections', async () => {
    const idleServer = await listen((_, response) => response.end('ok'), '127.0.0.1', 0);
    await (await fetch(`http://127.0.0.1:${idleServer.port}`)).text();
    const silentSocket = connect(idleServer.port, '127.0.0.1');
    await new Promise((resolve) => silentSocket.once('connect', resolve));
    const closed = new Promise((resolve) => silentSocket.once('close', () => resolve('ended')));
    await idleServer.close();
    expect(await closed).toBe('ended');
  });
});

import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { listen, type Listener } from './connection/listener.ts';
import { createHandler } from './handler.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-hostile-'));
const stopController = new AbortController();
const UNREADABLE = '/proc/self/mem';
const FOREIGN_URL = 'https://evil.example';
let t: TestServer;
let server: Listener;
let base: string;

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  t = await startTestServer();
  const handler = createHandler(t.app, {
    consoleFolder: folder,
    identityPort: undefined,
    shutdown: stopController.signal,
  });
  server = await listen(handler, '127.0.0.1', 0);
  base = `http://127.0.0.1:${server.port}`;
});

afterAll(async () => {
  stopController.abort();
  await server.close();
  await t.close();
  rmSync(folder, { recursive: true });
});

const countTags = async () => (await t.as('administrator').client(TagService).list({})).tags.length;
const call = (headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`${base}/hiber.tag.TagService/Create`, {
    method: 'POST',
    body: '{"create":{"name":"Planted"}}',
    ...init,
    headers: { authorization: `Bearer ${t.as('administrator').bearer}`, origin: FOREIGN_URL, ...headers },
  });

describe('a page of another site', () => {
  test("can't make calls with forms or links", async () => {
    const before = await countTags();
    // Content types that a form or an image can send without a preflight; other bodies trigger one.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      expect((await call({ 'content-type': type })).status, type).toBe(415);
    }
    const query = '?encoding=json&connect=v1&message=%7B%22create%22%3A%7B%22name%22%3A%22Planted%22%7D%7D';
    expect((await fetch(`${base}/hiber.tag.TagService/Create${query}`)).status).toBe(405);
    expect(await countTags()).toBe(before);
  });

  test('is rejected in every preflight', async () => {
    const baseHeaders = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const paths = [
      '/hiber.tag.TagService/Create',
      '/',
      '/outbox',
      '/identitytoolkit.googleapis.com/v1/accounts:signUp',
    ];
    for (const path of paths) {
      const response = await fetch(base + path, {
        method: 'OPTIONS',
        headers: { origin: FOREIGN_URL, ...baseHeaders },
      });
      expect(allowances(response), path).toEqual([]);
    }
    expect(allowances(await call({ 'content-type': 'application/json' }))).toEqual([]);
  });

  test("can't frame our pages, and our pages set no cookies", async () => {
    for (const path of ['/', '/login', '/organization/create', '/outbox', '/missing.js', '/..%2f..%2fetc/passwd']) {
      const page = await fetch(base + path, { headers: { accept: 'text/html' } });
      expect(page.headers.get('content-security-policy'), path).toContain(`frame-ancestors 'none'`);
      expect(page.headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(page.headers.getSetCookie(), path).toEqual([]);
    }
    expect((await call({ 'content-type': 'application/json' })).headers.getSetCookie()).toEqual([]);
  });
});

describe('a request for a file', () => {
  const content = '<!doctype html><title>Console</title>';

  test('gets the whole file, whatever range it requests', async () => {
    for (const range of [
      'bytes=5-2',
      'bytes=-1',
      'bytes=0-1',
      'bytes=9999-',
      'bytes=a-b',
      'bytes=0-1,3-4',
      'lines=1',
    ]) {
      const response = await fetch(`${base}/index.html`, { headers: { range } });
      expect([response.status, await response.text()], range).toEqual([200, content]);
    }
  });

  test('gets no file from outside the folder', async () => {
    writeFileSync(`${folder}-secret`, 'outside');
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    for (const path of [
      `/..%2f${name}-secret`,
      `/%2e%2e/${name}-secret`,
      `/..%5c${name}-secret`,
      '/%00',
      '/%E0%A4%A',
    ]) {
      expect(await (await fetch(base + path)).text(), path).not.toContain('outside');
    }
    rmSync(`${folder}-secret`);
  });

  test('gets no file that a build has removed', async () => {
    const path = join(folder, 'part.js');
    writeFileSync(path, 'part');
    expect(await (await fetch(`${base}/part.js`)).text()).toBe('part');
    rmSync(path);
    expect((await fetch(`${base}/part.js`)).status).toBe(404);
  });

  // Linux has a file that exists but can't be read, like a file removed at the wrong moment.
  test.runIf(existsSync(UNREADABLE))("does not stop the server if the file can't be read", async () => {
    symlinkSync(UNREADABLE, join(folder, 'unreadable.js'));
    const answer = await fetch(`${base}/unreadable.js`);
    expect([answer.status, await answer.text()]).toEqual([500, "The file can't be read.\n"]);
    expect((await fetch(`${base}/index.html`)).status).toBe(200);
  });

  test('uses one copy in memory, even if many clients request the file and do not read it', async () => {
    // Too large for the buffers of a connection.
    writeFileSync(join(folder, 'large.js'), Buffer.alloc(4_000_000));
    const before = process.memoryUsage.rss();
    const sockets = Array.from({ length: 20 }, () => connect(server.port, '127.0.0.1'));
    for (const socket of sockets) socket.write('GET /large.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100));
    const session = connectHttp2(base, { settings: { initialWindowSize: 0 } });
    const streams = Array.from({ length: 100 }, () => session.request({ ':path': '/large.js' }));
    await Promise.all([
      ...sockets.map((socket) => once(socket, 'readable')),
      ...streams.map((s) => once(s, 'response')),
    ]);
    expect((await fetch(`${base}/large.js`, { method: 'HEAD' })).headers.get('content-length')).toBe('4000000');
    expect(openFiles('large.js')).toBe(0);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
    for (const socket of sockets) socket.destroy();
    session.destroy();
  });

  test('is answered with the content of the latest build', async () => {
    const path = join(folder, 'built.js');
    for (const [content, time] of [
      ['first', 1],
      ['second', 2],
    ] as const) {
      writeFileSync(path, content);
      utimesSync(path, time, time);
      const response = await fetch(`${base}/built.js`);
      expect(await response.text()).toBe(content);
      const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
      expect((await fetch(`${base}/built.js`, { headers })).status).toBe(304);
    }
  });

  test('is rejected if its method would change something', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${base}/index.html`, { method });
      expect([response.status, response.headers.get('allow')], method).toEqual([405, 'GET, HEAD']);
    }
  });
});

/** Counts the descriptors that this process has open for a file in the folder, on systems that list them. */
const openFiles = (name: string): number =>
  (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : []).filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === join(folder, name);
    } catch {
      // The descriptor was closed after the folder was listed.
      return false;
    }
  }).length;

const allowances = (response: Response): string[] =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-allow'));

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { envelope, type TestListener, startListening } from '#server/testkit/listener.ts';

const CONSOLE = 'https://console.example.com';
const OTHER = 'http://localhost:5173';
let server: TestListener;
beforeAll(async () => {
  server = await startListening({ config: { corsOrigins: new Set([CONSOLE, OTHER]) } });
});
afterAll(() => server.close());

const LIST = '/hiber.tag.TagService/List';
const headersOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));
const sendPreflight = async (origin: string, path = LIST) =>
  headersOf(
    await fetch(server.base + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-grpc-web',
      },
    }),
  );
const splitList = (value: string | undefined): string[] => (value ?? '').toLowerCase().split(', ');

describe('a page of an allowed origin', () => {
  test.each([CONSOLE, OTHER])('%s gets the CORS headers in a preflight', async (origin) => {
    const corsHeaders = await sendPreflight(origin);
    expect(corsHeaders).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-max-age': '7200',
      vary: expect.stringContaining('Origin'),
    });
    expect(corsHeaders).not.toHaveProperty('access-control-allow-credentials');
    expect(splitList(corsHeaders['access-control-allow-headers'])).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'x-grpc-web',
        'x-user-agent',
        'grpc-timeout',
        'connect-protocol-version',
        'connect-timeout-ms',
        'x-client-name',
        'x-client-version',
        'quarterdeck-keep-alive',
      ]),
    );
  });

  test.each<[string, string, BodyInit]>([
    ['gRPC-web', 'application/grpc-web+proto', new Uint8Array(envelope(Buffer.of()))],
    ['gRPC-web text', 'application/grpc-web-text', envelope(Buffer.of()).toString('base64')],
    ['Connect', 'application/json', '{}'],
  ])('calls over %s and reads the status', async (_, type, body) => {
    const call = (path: string, headers: Record<string, string>) =>
      fetch(server.base + path, {
        method: 'POST',
        body,
        headers: { 'content-type': type, origin: CONSOLE, ...headers },
      });
    const responses = [
      await call(LIST, server.bearer),
      await call(LIST, {}),
      await call('/hiber.no.SuchService/List', server.bearer),
      await call(LIST, { ...server.bearer, 'content-type': 'text/plain' }),
    ];
    for (const response of responses) {
      const headers = headersOf(response);
      expect(headers).toMatchObject({ 'access-control-allow-origin': CONSOLE, vary: 'Origin' });
      expect(splitList(headers['access-control-expose-headers'])).toEqual(
        expect.arrayContaining(['grpc-status', 'grpc-message', 'grpc-status-details-bin']),
      );
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    expect(responses[0]?.status).toBe(200);
  });

  test('can call only rpcs, not pages or sign-in endpoints', async () => {
    for (const path of ['/', '/outbox', '/identitytoolkit.googleapis.com/v1/accounts:signUp', '/assets/main.js']) {
      expect(await sendPreflight(CONSOLE, path), path).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

describe('a page of another origin', () => {
  test.each(['https://evil.example', 'https://console.example.com.evil.example', 'http://console.example.com', 'null'])(
    '%s gets no CORS headers',
    async (origin) => {
      expect(await sendPreflight(origin)).toEqual({ vary: 'Origin' });
      const headers = { 'content-type': 'application/json', origin, ...server.bearer };
      expect(headersOf(await fetch(server.base + LIST, { method: 'POST', body: '{}', headers }))).toEqual({
        vary: 'Origin',
      });
    },
  );
});

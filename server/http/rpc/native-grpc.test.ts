import { connect as connectHttp2, constants, type IncomingHttpHeaders } from 'node:http2';

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventStreamRequestSchema } from '#proto/gen/hiber/event_service_pb.ts';
import { InfoRequestSchema, InfoResponseSchema } from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';
import {
  END_STREAM,
  envelope,
  frame,
  framesIn,
  frameType,
  headersFrame,
  HTTP2_PREFACE,
  type TestListener,
  openRawSocket,
  startListening,
} from '#server/testkit/listener.ts';

let server: TestListener;
let client: Client;
beforeAll(async () => {
  server = await startListening();
  client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.close();
});

const bytes = (message: Uint8Array): Buffer => Buffer.from(message);
const INFO = '/quarterdeck.server.v1.ServerService/Info';
const unknownPaths = [
  '/hiber.no.SuchService/List',
  '/hiber.tag.TagService/Lst',
  '/hiber.tag.tagservice/List',
  '/grpc.channelz.v1.Channelz/GetServers',
  '/devices',
  '/no/such/rpc',
];

/**
 * Calls with grpc-js.
 *
 * @returns the error, or the bytes of the response
 */
const call = (path: string, request = Buffer.alloc(0), metadata = new Metadata()) =>
  new Promise<ServiceError | Buffer>((resolve) => {
    client.makeUnaryRequest(
      path,
      bytes,
      (response) => response,
      request,
      metadata,
      (error, response) => resolve(error ?? response ?? Buffer.alloc(0)),
    );
  });

describe('native gRPC with @grpc/grpc-js', () => {
  test('serves an rpc', async () => {
    const response = await call(
      INFO,
      Buffer.from(toBinary(InfoRequestSchema, { $typeName: 'quarterdeck.server.v1.InfoRequest' })),
    );
    expect(fromBinary(InfoResponseSchema, response as Buffer).version).toBe('0.0.0-test');
  });

  test.each(unknownPaths)('returns UNIMPLEMENTED for the unregistered path %s', async (path) => {
    expect(await call(path)).toMatchObject({
      code: status.UNIMPLEMENTED,
      details: `This server has no rpc ${path.slice(1)}.`,
    });
    // A long body, which is never read, and a streaming call get the same response.
    expect(await call(path, Buffer.alloc(200_000))).toMatchObject({ code: status.UNIMPLEMENTED });
    const stream = client.makeServerStreamRequest(path, bytes, (response) => response, Buffer.alloc(0), new Metadata());
    stream.on('data', () => undefined);
    const error = await new Promise((resolve) => stream.once('error', resolve));
    expect(error).toMatchObject({ code: status.UNIMPLEMENTED });
  });

  test('returns UNAUTHENTICATED for an unauthenticated call', async () => {
    expect(await call('/hiber.tag.TagService/List')).toMatchObject({
      code: status.UNAUTHENTICATED,
      details: 'Sign in first. This call requires an authorization header with a bearer token.',
    });
  });

  test('preserves any characters in an error message', async () => {
    const signedIn = new Metadata();
    signedIn.set('authorization', server.bearer.authorization);
    // The value of ListTagsRequest.organization has non-ASCII characters and a percent sign.
    const organization = 'Zürich 100% ✓';
    const request = Buffer.concat([Buffer.of(0x0a, Buffer.byteLength(organization)), Buffer.from(organization)]);
    const error = (await call('/hiber.tag.TagService/List', request, signedIn)) as ServiceError;
    expect(error.details).toContain(organization);
  });

  test.each([
    ['a service', 'application/grpc', '/hiber.event.EventService/Stream', requestWithChildren('漢'.repeat(1000), 1000)],
    [
      'parsing JSON',
      'application/grpc+json',
      '/hiber.tag.TagService/List',
      envelope(Buffer.from(`{"${'k'.repeat(100_000)}":1}`)),
    ],
  ])('keeps an error from %s within the header limits if it quotes a long request', async (_, type, path, body) => {
    const { 'grpc-status': code, 'grpc-message': message } = await requestTrailers(path, type, body);
    expect(Number(code)).toBe(status.INVALID_ARGUMENT);
    expect(String(message).length).toBeGreaterThan(100);
    expect(String(message).length).toBeLessThan(8192);
  });

  test('rejects a call to a demo under another host name with a gRPC status', async () => {
    const foreignClient = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure(), {
      'grpc.default_authority': 'evil.example',
    });
    const error = await new Promise<ServiceError | null>((resolve) => {
      foreignClient.makeUnaryRequest(
        INFO,
        bytes,
        (response) => response,
        Buffer.alloc(0),
        (serviceError) => resolve(serviceError),
      );
    });
    foreignClient.close();
    expect(error).toMatchObject({
      code: status.PERMISSION_DENIED,
      details: 'This demo only answers requests for localhost and 127.0.0.1.',
    });
  });
});

/** Creates a stream request that names child organizations. */
function requestWithChildren(name: string, times: number): Buffer {
  const include = Array.from({ length: times }, (_, index) => `${index}${name}`.slice(0, 1000));
  return envelope(
    toBinary(EventStreamRequestSchema, create(EventStreamRequestSchema, { childOrganizations: { include } })),
  );
}

/** Returns the trailers of the response, for a client that accepts headers of any length. */
const requestTrailers = (path: string, type: string, body: Buffer) =>
  new Promise<IncomingHttpHeaders>((resolve, reject) => {
    const session = connectHttp2(server.base, { settings: { maxHeaderListSize: 2 ** 31 }, maxSessionMemory: 1000 });
    const headers = { ':method': 'POST', ':path': path, 'content-type': type, te: 'trailers', ...server.bearer };
    const stream = session.request(headers);
    const onHeaders = (incomingHttpHeaders: IncomingHttpHeaders) =>
      void (incomingHttpHeaders['grpc-status'] !== undefined && resolve(incomingHttpHeaders));
    stream
      .on('response', onHeaders)
      .on('trailers', onHeaders)
      .on('error', reject)
      .on('close', () => session.close());
    stream.on('close', () => reject(new Error(`ended with ${stream.rstCode}`)));
    stream.resume();
    stream.end(body);
  });

/** Returns the response frames to a request over a bare socket, up to the one that ends its stream. */
async function requestFrames(path: string, extraHeaders: Record<string, string> = {}, body?: Buffer) {
  const raw = await openRawSocket(server.port);
  raw.write(HTTP2_PREFACE);
  raw.write(frame(frameType.settings, 0, 0));
  const headers = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': `127.0.0.1:${server.port}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...extraHeaders,
  };
  raw.write(headersFrame(1, headers, body === undefined ? END_STREAM : 0));
  if (body !== undefined) raw.write(frame(frameType.data, END_STREAM, 1, body));
  const ownFrames = () => framesIn(raw.bytes()).filter(({ stream }) => stream === 1);
  await raw.until(() => ownFrames().some(({ type, flags }) => type === frameType.rst || (flags & END_STREAM) !== 0));
  raw.socket.destroy();
  return ownFrames().map(({ type, flags }) => ({ type, ends: (flags & END_STREAM) !== 0 }));
}

/** Returns the same response's headers, from Node's own client. */
const requestHeaders = (path: string, headers: Record<string, string> = {}) =>
  new Promise<Record<string, unknown>>((resolve, reject) => {
    const session = connectHttp2(server.base);
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      ...headers,
    });
    stream.on('error', reject);
    stream.once('response', (headers, flags) => {
      resolve({ ...headers, endsStream: (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0 });
      session.destroy();
    });
    stream.end();
  });

describe('gRPC on a bare HTTP/2 socket', () => {
  const trailersOnly = [{ type: frameType.headers, ends: true }];

  test.each(unknownPaths)('responds to %s with one HEADERS frame that ends the stream', async (path) => {
    expect(await requestFrames(path)).toEqual(trailersOnly);
    expect((await requestFrames(path, {}, envelope(Buffer.alloc(10)))).slice(0, 1)).toEqual(trailersOnly);
    expect(await requestHeaders(path)).toMatchObject({
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': String(status.UNIMPLEMENTED),
      'grpc-message': `This server has no rpc ${path.slice(1)}.`,
      endsStream: true,
    });
  });

  test('responds to an unauthenticated call in the same way, without waiting for its body', async () => {
    const raw = await openRawSocket(server.port);
    raw.write(HTTP2_PREFACE);
    raw.write(frame(frameType.settings, 0, 0));
    raw.write(
      headersFrame(1, {
        ':method': 'POST',
        ':scheme': 'http',
        ':path': '/hiber.tag.TagService/List',
        ':authority': `127.0.0.1:${server.port}`,
        'content-type': 'application/grpc',
      }),
    );
    const ownFrames = () => framesIn(raw.bytes()).filter(({ stream }) => stream === 1);
    await raw.until(() => ownFrames().some(({ type }) => type === frameType.rst));
    raw.socket.destroy();
    expect(
      ownFrames().map(({ type, flags, payload }) => [
        type,
        flags & END_STREAM,
        type === frameType.rst && payload.readUInt32BE(0),
      ]),
    ).toEqual([
      [frameType.headers, END_STREAM, false],
      // The rest of the request is not needed (RFC 9113, 8.1).
      [frameType.rst, 0, constants.NGHTTP2_NO_ERROR],
    ]);
  });

  test('responds to other early errors in the same way', async () => {
    const cases: [Record<string, string>, Record<string, unknown>][] = [
      [{ ':authority': 'evil.example' }, { ':status': 200, 'grpc-status': String(status.PERMISSION_DENIED) }],
      [{ 'content-type': 'text/plain' }, { ':status': 415 }],
      [{ 'content-type': 'application/grpc+thrift' }, { ':status': 415 }],
      [{ ':method': 'GET' }, { ':status': 405, allow: 'POST' }],
      [{ ':method': 'DELETE' }, { ':status': 405, allow: 'POST' }],
    ];
    for (const [headers, expected] of cases) {
      expect(await requestHeaders(INFO, headers), JSON.stringify(headers)).toMatchObject({
        ...expected,
        endsStream: true,
      });
      expect(await requestFrames(INFO, headers), JSON.stringify(headers)).toEqual(trailersOnly);
    }
  });
});

describe('gRPC over HTTP/1.1', () => {
  test('sends the status after the body, or instead of the body', async () => {
    const post = async (path: string) => {
      const raw = await openRawSocket(server.port);
      raw.write(
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc\r\nconnection: close\r\nte: trailers\r\ncontent-length: 5\r\n\r\n\0\0\0\0\0`,
      );
      await raw.ended;
      return raw.text();
    };
    expect(await post(INFO)).toMatch(/^HTTP\/1\.1 200 [^]*0\.0\.0-test[^]*\r\n0\r\n[^]*grpc-status: 0\r\n/i);
    expect(await post('/hiber.no.SuchService/List')).toMatch(/^HTTP\/1\.1 200 [^]*grpc-status: 12\r\n/i);
    expect(await post('/hiber.tag.TagService/List')).toMatch(/^HTTP\/1\.1 200 [^]*grpc-status: 16\r\n/i);
  });
});

describe('a request with an invalid address', () => {
  test.each([
    ['a port out of range', 'POST', 'host: localhost:99999\r\n', '1.1'],
    ['an open bracket', 'POST', 'host: localhost:1[\r\n', '1.1'],
    ['no host', 'POST', '', '1.0'],
  ])('is rejected, and the server keeps running: %s', async (_, method, host, version) => {
    const raw = await openRawSocket(server.port);
    raw.write(
      `${method} ${INFO} HTTP/${version}\r\n${host}content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    );
    await raw.ended;
    expect(raw.text()).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(
      (await fetch(server.base + INFO, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }))
        .status,
    ).toBe(200);
  });
});

import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { Code } from '@connectrpc/connect';
import { codeToString } from '@connectrpc/connect/protocol-connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { policyOf } from '#server/http/rpc/policy-of.ts';
import { rpcName } from '#server/policies/rpcs.ts';
import { envelope, type TestListener, openRawSocket, startListening } from '#server/testkit/listener.ts';
import { methods } from '#server/testkit/policies/rpcs.ts';

import { exceededLimit, findRepeatedKey } from './json-shape.ts';
import { receive, defaultTimeouts } from './request-body.ts';

let server: TestListener;
beforeAll(async () => {
  server = await startListening();
});
afterAll(() => server.close());

const INFO = '/quarterdeck.server.v1.ServerService/Info';
const LIST = '/hiber.tag.TagService/List';
const STREAM = '/hiber.event.EventService/Stream';

const codes = Object.values(Code).filter((item) => typeof item === 'number');

/** A protocol's encoding of a single message. */
interface WireFormat {
  readonly type: string;
  readonly encoding: string;
  readonly enveloped: boolean;
}
const wireFormats: Record<string, WireFormat> = {
  'Connect JSON': { type: 'application/json', encoding: 'content-encoding', enveloped: false },
  'Connect binary': { type: 'application/proto', encoding: 'content-encoding', enveloped: false },
  'Connect stream JSON': { type: 'application/connect+json', encoding: 'connect-content-encoding', enveloped: true },
  'gRPC-web JSON': { type: 'application/grpc-web+json', encoding: 'grpc-encoding', enveloped: true },
  'gRPC-web': { type: 'application/grpc-web+proto', encoding: 'grpc-encoding', enveloped: true },
  'gRPC JSON': { type: 'application/grpc+json', encoding: 'grpc-encoding', enveloped: true },
  gRPC: { type: 'application/grpc', encoding: 'grpc-encoding', enveloped: true },
};
const jsonFormats = Object.entries(wireFormats).filter(([name]) => name.endsWith('JSON'));

interface TestRequest {
  readonly path: string;
  readonly message: Uint8Array;
  readonly headers?: Record<string, string>;
  /** True if the bytes of the body itself are compressed. */
  readonly compressed?: boolean;
}

/**
 * Calls over HTTP/2, which supports every protocol.
 *
 * @returns the numeric code, and the message
 */
function call(
  { type, encoding, enveloped: wrap }: WireFormat,
  { path, message, headers = {}, compressed }: TestRequest,
) {
  return new Promise<{ code: number; text: string }>((resolve, reject) => {
    const session = connectHttp2(server.base);
    const request = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': type,
      ...(compressed ? { [encoding]: 'gzip' } : {}),
      ...headers,
    });
    let code: unknown;
    let trailerMessage: string | undefined;
    const body: Buffer[] = [];
    const readStatus = (fields: Record<string, unknown>): void => {
      code ??= fields['grpc-status'];
      trailerMessage ??= fields['grpc-message']?.toString();
    };
    request
      .on('response', readStatus)
      .on('trailers', readStatus)
      .on('data', (chunk: Buffer) => body.push(chunk));
    request.on('error', reject);
    request.on('end', () => {
      session.destroy();
      const text = Buffer.concat(body).toString();
      const codeName = /"code":"(\w+)"/.exec(text)?.[1];
      const byName = codes.find((item) => codeToString(item) === codeName);
      resolve({
        code: Number(code ?? /grpc-status: (\d+)/.exec(text)?.[1] ?? byName ?? 0),
        text: `${decodeURIComponent(text)}${trailerMessage ?? ''}`,
      });
    });
    request.end(wrap ? envelope(message, compressed ? 1 : 0) : message);
  });
}

const nestedJson = (depth: number): string => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('JSON nested deeper than 100', () => {
  test.each(jsonFormats)(
    'is rejected over %s, compressed or not, with and without authentication',
    async (_, wireFormat) => {
      const path = wireFormat.type.includes('connect+') ? STREAM : LIST;
      for (const depth of [101, 30_000]) {
        const message = Buffer.from(nestedJson(depth));
        const expectedError = {
          code: Code.InvalidArgument,
          text: expect.stringContaining('nested deeper than 100 levels'),
        };
        expect(await call(wireFormat, { path, message, headers: server.bearer })).toMatchObject(expectedError);
        const compressed = { message: gzipSync(message), compressed: true };
        expect(await call(wireFormat, { path, ...compressed, headers: server.bearer })).toMatchObject(expectedError);
        // Our only rpc without sign-in is unary.
        const publicRequest = path === LIST ? { path: INFO } : { path, headers: server.bearer };
        expect(await call(wireFormat, { ...publicRequest, ...compressed })).toMatchObject(expectedError);
      }
    },
  );

  test('is measured without counting brackets in strings', async () => {
    const wireFormat = wireFormats['Connect JSON'] as WireFormat;
    const bodies = [nestedJson(100), `{"x":"${'['.repeat(500)}"}`, `{"x":"\\"${'{'.repeat(500)}","y":[1]}`];
    for (const text of bodies) {
      const { text: responseText } = await call(wireFormat, { path: INFO, message: Buffer.from(text) });
      expect(responseText).not.toContain('nested deeper');
    }
    const escaped = `{"x":"\\\\",${'"y":{'.repeat(101)}`;
    expect(exceededLimit(Buffer.from(escaped), { depth: 100, parts: 1000 })).toBe('depth');
  });
});

describe('a key that a JSON object has twice', () => {
  test.each(jsonFormats)('is rejected over %s', async (_, wireFormat) => {
    const path = wireFormat.type.includes('connect+') ? STREAM : LIST;
    const message = Buffer.from('{"organization":"northwind","selection":{},"organization":""}');
    expect(await call(wireFormat, { path, message, headers: server.bearer })).toMatchObject({
      code: Code.InvalidArgument,
      text: expect.stringContaining('twice. Leave one of them out.'),
    });
  });

  test.each(jsonFormats)('is rejected in both of its spellings over %s', async (_, wireFormat) => {
    const isStream = wireFormat.type.includes('connect+');
    const text = isStream
      ? '{"childOrganizations":{},"child_organizations":{}}'
      : '{"modemCount":true,"modem_count":false}';
    const request = { path: isStream ? STREAM : LIST, message: Buffer.from(text), headers: server.bearer };
    expect(await call(wireFormat, request)).toMatchObject({
      code: Code.InvalidArgument,
      text: expect.stringContaining(isStream ? '.child_organizations' : '.modem_count'),
    });
  });

  test.each([
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{"x":[{"a":1},{"a":{"é":[],"é":[]}}]}', 'é'],
    [String.raw`{"a":"","\u0061":""}`, 'a'],
    [String.raw`{"a\"b":{"c":1},"a\"b":2}`, 'a"b'],
    ['{"x":{"b":[1,2]},"b":1,"x":1}', 'x'],
  ])('is found: %s', (json, key) => expect(findRepeatedKey(Buffer.from(json))).toBe(key));

  test.each([
    '{"a":{"a":{"a":"a"}},"b":["a","a",{"a":1}],"c":"a"}',
    String.raw`{"a":"\",\"a\":","A":"{\"b\":1,\"b\":2}"}`,
    '[{"a":1},{"a":2}]',
    '"a',
    '}}],"a":1,"a":2',
  ])('is not found: %s', (json) => expect(findRepeatedKey(Buffer.from(json))).toBeUndefined());
});

describe('a small body that expands when decoded', () => {
  const unknownCaller = { authorization: 'Bearer nobody' };
  const repeatTag = (tag: number[], count: number) => Buffer.alloc(tag.length * count, Buffer.from(tag));
  /** Returns a length-delimited field with this tag. */
  const field = (tag: number, content: Uint8Array) => {
    const length = Buffer.alloc(5);
    for (const index of [0, 1, 2, 3, 4])
      length.writeUInt8(((content.length >>> (7 * index)) & 0x7f) | (index < 4 ? 0x80 : 0), index);
    return Buffer.concat([Buffer.of(tag), length, content]);
  };
  const push = '/hiber.testing.TestingService/PushModemMessages';
  const bombs: [string, WireFormat, string, Buffer][] = [
    ['empty messages', wireFormats['Connect binary'] as WireFormat, push, repeatTag([0x12, 0], 200_001)],
    ['empty messages over gRPC', wireFormats['gRPC'] as WireFormat, push, repeatTag([0x12, 0], 200_001)],
    ['unknown fields', wireFormats['gRPC'] as WireFormat, push, repeatTag([0x78, 0], 200_001)],
    [
      'a packed list',
      wireFormats['gRPC'] as WireFormat,
      LIST,
      field(0x12, field(0x1a, field(0x0a, Buffer.alloc(200_001, 1)))),
    ],
    ['JSON', wireFormats['Connect JSON'] as WireFormat, push, Buffer.from(`{"messages":[{}${',{}'.repeat(200_000)}]}`)],
    [
      'JSON on a stream',
      wireFormats['Connect stream JSON'] as WireFormat,
      STREAM,
      Buffer.from(`{"x":[0${',0'.repeat(200_001)}]}`),
    ],
  ];

  test.each(bombs)('is rejected before it is decoded: %s', async (_, wireFormat, path, decompressed) => {
    const message = gzipSync(decompressed);
    const testRequest = { path, message, compressed: true };
    const expectedError = { code: Code.InvalidArgument, text: expect.stringContaining('more than 200000 values') };
    expect(await call(wireFormat, { ...testRequest, headers: server.bearer })).toMatchObject(expectedError);
  });

  test.each(Object.entries(wireFormats))(
    'is rejected as unauthenticated over %s if the caller is unknown',
    async (_, wireFormat) => {
      const path = wireFormat.type.includes('connect+') ? STREAM : push;
      const message = wireFormat.type.includes('json')
        ? Buffer.from(`{"x":[0${',0'.repeat(50_000)}]}`)
        : repeatTag([0x12, 0], 50_000);
      const expectedError = { code: Code.Unauthenticated };
      expect(await call(wireFormat, { path, message, headers: unknownCaller })).toMatchObject(expectedError);
      const compressed = { message: gzipSync(message), compressed: true };
      expect(await call(wireFormat, { path, ...compressed, headers: unknownCaller })).toMatchObject(expectedError);
      const authenticated = await call(wireFormat, { path, ...compressed, headers: server.bearer });
      expect(authenticated).toMatchObject({ code: Code.InvalidArgument });
    },
  );

  test('can have up to the maximum number of values, not counting separators in strings', async () => {
    const wireFormat = wireFormats['Connect JSON'] as WireFormat;
    const message = Buffer.from(`{"organization":"${',[{'.repeat(100_000)}"}`);
    const { text } = await call(wireFormat, { path: push, message, headers: server.bearer });
    expect(text).toContain('\\"organization\\" has 300000 characters');
  });
});

describe('the size of a request', () => {
  const publicMethods = methods.filter((method) => policyOf(method).audience === 'everyone');

  test.each(publicMethods.map((method) => [rpcName(method), method] as const))(
    'is at most 64 KB for %s, which anyone can call',
    async (_, method) => {
      const path = `/${method.parent.typeName}/${method.name}`;
      // An unknown field of the given length.
      const field = (length: number) =>
        Buffer.concat([
          Buffer.of(0xfa, 0x7d, (length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14),
          Buffer.alloc(length),
        ]);
      const tooLarge = field(65_536);
      const wireFormat = wireFormats['gRPC'] as WireFormat;
      expect(await call(wireFormat, { path, message: tooLarge })).toMatchObject({ code: Code.ResourceExhausted });
      const bomb = { message: gzipSync(tooLarge), compressed: true };
      expect(await call(wireFormat, { path, ...bomb })).toMatchObject({ code: Code.ResourceExhausted });
    },
  );

  test.each(Object.entries(wireFormats))(
    'is at most 4 MiB over %s, even compressed or in chunks',
    async (_, wireFormat) => {
      const path = wireFormat.type.includes('connect+') ? STREAM : LIST;
      const message = wireFormat.type.includes('json')
        ? Buffer.from(`{"x":"${' '.repeat(5_000_000)}"}`)
        : Buffer.alloc(5_000_000);
      const expectedError = { code: Code.ResourceExhausted };
      const headers = server.bearer;
      expect(await call(wireFormat, { path, message, headers })).toMatchObject(expectedError);
      expect(await call(wireFormat, { path, message: gzipSync(message), compressed: true, headers })).toMatchObject(
        expectedError,
      );
    },
  );

  test('is checked while chunks arrive over HTTP/1.1', async () => {
    const raw = await openRawSocket(server.port);
    raw.write(
      `POST ${INFO} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    raw.write(`20000\r\n${' '.repeat(0x20000)}\r\n`);
    await expect(raw.until((bytes) => bytes.includes('resource_exhausted'))).resolves.toBeUndefined();
    raw.socket.destroy();
  });
});

describe('a body that contradicts its headers', () => {
  test.each(Object.entries(wireFormats))("is rejected as the caller's error over %s", async (_, wireFormat) => {
    const path = wireFormat.type.includes('connect+') ? STREAM : LIST;
    const emptyBody = wireFormat.type.includes('json') ? Buffer.from('{}') : Buffer.of();
    const headers = server.bearer;
    const zip = gzipSync(Buffer.from(`{"x":"${'abc'.repeat(100)}"}`));
    for (const message of [Buffer.from('not gzip'), zip.subarray(0, zip.length - 12)]) {
      expect(await call(wireFormat, { path, message, compressed: true, headers })).toMatchObject({
        code: Code.InvalidArgument,
      });
    }
    const encoding = { [wireFormat.encoding]: 'zstd' };
    expect(await call(wireFormat, { path, message: emptyBody, headers: { ...headers, ...encoding } })).toMatchObject({
      code: Code.Unimplemented,
    });
    if (!wireFormat.enveloped) return;
    const unmarked = { ...wireFormat, encoding: 'x-none' };
    expect(await call(unmarked, { path, message: zip, compressed: true, headers })).toMatchObject({
      code: Code.InvalidArgument,
    });
  });
});

describe('a body in one-byte chunks', () => {
  test('is passed on as one chunk per segment', async () => {
    const request = new PassThrough();
    const pieces = receive(request as unknown as IncomingMessage, defaultTimeouts, () => undefined);
    const first = pieces.next();
    for (let chunk = 0; chunk < 1000; chunk += 1) {
      request.emit('data', Buffer.from(' '));
      // Node runs promises between the chunks of a segment.
      await Promise.resolve();
    }
    request.end();
    const lengths = [(await first).value?.length];
    for await (const piece of pieces) lengths.push(piece.length);
    expect(lengths).toEqual([1000]);
  });

  test('is accepted over HTTP/1.1', async () => {
    const raw = await openRawSocket(server.port);
    raw.write(
      `POST ${LIST} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${server.bearer.authorization}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    raw.write(`${'1\r\n \r\n'.repeat(50_000)}2\r\n{}\r\n0\r\n\r\n`);
    await raw.until((bytes) => bytes.includes('"tags"') || bytes.includes('"code"'));
    raw.socket.destroy();
    expect(raw.text()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('an unauthenticated call', () => {
  test.each(Object.entries(wireFormats))('is rejected over %s before its body arrives', async (_, { type }) => {
    const path = type.includes('connect+') ? STREAM : LIST;
    const raw = await openRawSocket(server.port);
    raw.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 1000000\r\n\r\n`);
    await raw.until((bytes) => /unauthenticated|grpc-status: 16/.test(bytes.toString()));
    raw.socket.destroy();
    expect(raw.text()).toMatch(/^HTTP\/1\.1 (401|200) /);
  });
});

describe('an incomplete body', () => {
  let strictServer: TestListener;
  beforeAll(async () => {
    strictServer = await startListening({ timeouts: { idleMs: 400, totalMs: 1500 } });
  });
  afterAll(() => strictServer.close());

  const head = (type: string) =>
    `POST ${LIST} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\nauthorization: Bearer x\r\ncontent-length: 1000\r\n\r\n`;

  test.each(Object.entries(wireFormats).filter(([, { type }]) => !type.includes('connect+')))(
    'times out over %s with a response and ends the connection',
    async (_, { type }) => {
      const raw = await openRawSocket(strictServer.port);
      raw.write(`${head(type)}\0\0\0`);
      await raw.ended;
      expect(raw.text()).toMatch(/deadline_exceeded|grpc-status: 4/);
    },
  );

  test('times out even if it trickles in', async () => {
    const raw = await openRawSocket(strictServer.port);
    raw.write(head('application/json'));
    const dribble = setInterval(() => raw.write(' '), 50);
    await raw.ended;
    clearInterval(dribble);
    expect(raw.text()).toContain("didn't arrive within 1.5 seconds");
  });

  test('times out over HTTP/2, ending only its stream', async () => {
    const session = connectHttp2(strictServer.base);
    const request = session.request({
      ':method': 'POST',
      ':path': LIST,
      'content-type': 'application/grpc',
      authorization: 'Bearer x',
    });
    const response = new Promise<unknown>((resolve) =>
      request.once('response', (fields) => resolve(fields['grpc-status'])),
    );
    const closed = new Promise((resolve) => request.once('close', resolve));
    request.write(Buffer.alloc(3));
    expect(await response).toBe(String(Code.DeadlineExceeded));
    request.resume();
    await closed;
    expect(session.closed).toBe(false);
    session.destroy();
  });
});

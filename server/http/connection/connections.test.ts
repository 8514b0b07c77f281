import { connect as connectHttp2, constants } from 'node:http2';
import { setTimeout as wait } from 'node:timers/promises';

import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  END_STREAM,
  frame,
  framesIn,
  frameType,
  headersFrame,
  HTTP2_PREFACE,
  type TestListener,
  type RawSocket,
  openRawSocket,
  startListening,
} from '#server/testkit/listener.ts';

const INFO = '/quarterdeck.server.v1.ServerService/Info';
const post = `POST ${INFO} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
const clientPreface = Buffer.concat([Buffer.from(HTTP2_PREFACE), frame(frameType.settings, 0, 0)]);
const call = (stream: number, headers: Record<string, string> = {}, flags = END_STREAM) =>
  headersFrame(
    stream,
    {
      ':method': 'POST',
      ':scheme': 'http',
      ':path': INFO,
      ':authority': 'localhost',
      'content-type': 'application/grpc',
      ...headers,
    },
    flags,
  );

let server: TestListener;
/** A server with the production limits, for tests that would hit the shorter limits on a busy machine. */
let productionServer: TestListener;
beforeAll(async () => {
  const limits = {
    firstBytesMs: 600,
    headersMs: 3000,
    idleMs: 600,
    requestMs: 3000,
    stalledMs: 600,
    sweepMs: 100,
    connections: 20,
    refusals: 2,
  };
  server = await startListening({ limits });
  productionServer = await startListening();
});
afterAll(async () => {
  await server.close();
  await productionServer.close();
});

describe('an unread response', () => {
  test('ends its stream over HTTP/2, and then its connection', async () => {
    const raw = await openRawSocket(server.port);
    const noWindow = frame(frameType.settings, 0, 0, Buffer.of(0, 4, 0, 0, 0, 0));
    const emptyMessage = frame(frameType.data, END_STREAM, 1, Buffer.alloc(5));
    raw.write(Buffer.concat([Buffer.from(HTTP2_PREFACE), noWindow, call(1, {}, 0), emptyMessage]));
    await raw.until((bytes) => framesIn(bytes).some(({ type }) => type === frameType.rst));
    expect(framesIn(raw.bytes()).filter(({ type }) => type === frameType.data)).toEqual([]);
    await raw.ended;
  });

  test('ends its connection over HTTP/1.1', async () => {
    const raw = await openRawSocket(server.port);
    raw.socket.pause();
    const closed = new Promise<void>((resolve) => raw.socket.once('close', () => resolve()));
    // Each response is a few kilobytes long; together they exceed the kernel's buffers.
    const body = JSON.stringify({ pagination: { size: 1000 } });
    const bearer = server.bearer.authorization;
    const request = `POST /hiber.modem.ModemService/List HTTP/1.1\r\nhost: localhost\r\nauthorization: ${bearer}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    for (let index = 0; index < 150; index++) raw.write(request);
    // A client that doesn't read notices a closed connection only when a write fails.
    const writeTimer = setInterval(() => raw.write(' '), 100);
    await expect(closed).resolves.toBeUndefined();
    clearInterval(writeTimer);
  });
});

describe('pipelined HTTP/1.1 requests', () => {
  const next = post.replace('connection: close\r\n', '');
  const responseCount = (raw: RawSocket) => raw.text().split('HTTP/1.1 200 ').length - 1;

  test('are answered up to the limit of unanswered requests', async () => {
    const raw = await openRawSocket(productionServer.port);
    raw.write(next.repeat(100) + post);
    await raw.ended;
    expect(responseCount(raw)).toBe(101);
  });

  test('are all answered if the client waits for responses', async () => {
    const raw = await openRawSocket(productionServer.port);
    for (let turn = 1; turn <= 5; turn += 1) {
      raw.write(next.repeat(100));
      await raw.until(() => responseCount(raw) >= turn * 100);
    }
    expect(responseCount(raw)).toBe(500);
    raw.socket.destroy();
  });

  test('end their connection when they flood the server', async () => {
    const raw = await openRawSocket(productionServer.port);
    raw.write(next.repeat(5000) + post);
    await raw.ended;
    expect(responseCount(raw)).toBeLessThanOrEqual(200);
  });
});

describe('the first bytes of a connection', () => {
  test.each([
    ['in one segment', post.length],
    ['split after P', 1],
    ['split after PR', 2],
    ['split after PRI', 3],
  ])('select HTTP/1.1 when they arrive %s', async (_, first) => {
    const raw = await openRawSocket(productionServer.port);
    raw.write(post.slice(0, first));
    await wait(20);
    raw.write(post.slice(first));
    await raw.ended;
    expect(raw.text()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('select HTTP/1.1 when each byte arrives in its own segment', async () => {
    const raw = await openRawSocket(productionServer.port);
    for (const byte of post) {
      raw.write(byte);
      await wait(1);
    }
    await raw.ended;
    expect(raw.text()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([1, 2, 3, 4, 5, 23, 24])(
    'select HTTP/2 when they arrive in two segments, split after %i bytes',
    async (first) => {
      const bytes = Buffer.concat([clientPreface, call(1)]);
      const raw = await openRawSocket(productionServer.port);
      raw.write(bytes.subarray(0, first));
      await wait(20);
      raw.write(bytes.subarray(first));
      const hasResponse = (arrived: Buffer) =>
        framesIn(arrived).some(({ stream, flags }) => stream === 1 && (flags & END_STREAM) !== 0);
      await expect(raw.until(hasResponse)).resolves.toBeUndefined();
      raw.socket.destroy();
    },
  );
});

describe('an idle connection is ended', () => {
  test.each([
    ['no bytes', ''],
    ['P', 'P'],
    ['PRI', 'PRI '],
    ['half the preface', HTTP2_PREFACE.slice(0, 12)],
    ['the preface', HTTP2_PREFACE],
    ['the preface and settings', clientPreface],
    ['half the first headers', Buffer.concat([clientPreface, call(1).subarray(0, 20)])],
    ['half the HTTP/1.1 headers', post.slice(0, 60)],
    ['a method', 'POST '],
  ])('after %s', async (_, bytes) => {
    const raw = await openRawSocket(server.port);
    raw.write(bytes);
    await expect(raw.ended).resolves.toBeUndefined();
  });

  test('even if it pings', async () => {
    const raw = await openRawSocket(server.port);
    raw.write(clientPreface);
    const pings = setInterval(() => raw.write(frame(frameType.ping, 0, 0, Buffer.alloc(8))), 50);
    await raw.ended;
    clearInterval(pings);
    expect(framesIn(raw.bytes()).map(({ type }) => type)).toContain(frameType.goAway);
  });

  test('after its last stream has ended', async () => {
    const raw = await openRawSocket(server.port);
    raw.write(Buffer.concat([clientPreface, call(1)]));
    await raw.ended;
    const frames = framesIn(raw.bytes());
    expect(frames.some(({ stream, flags }) => stream === 1 && (flags & END_STREAM) !== 0)).toBe(true);
  });

  test("when a request's body does not arrive", async () => {
    const raw = await openRawSocket(server.port);
    raw.write(
      Buffer.concat([clientPreface, call(1, { ':path': '/help-desk/access/jwt', 'content-type': 'text/plain' }, 0)]),
    );
    await raw.ended;
    const rawSocket = await openRawSocket(server.port);
    rawSocket.write('POST /help-desk/access/jwt HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n');
    await expect(rawSocket.ended).resolves.toBeUndefined();
  });
});

describe('a quiet stream', () => {
  test('keeps its connection open beyond all timeouts', async () => {
    const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('authorization', server.bearer.authorization);
    const stream = client.makeServerStreamRequest(
      '/hiber.event.EventService/Stream',
      (bytes: Buffer) => bytes,
      (bytes) => bytes,
      Buffer.alloc(0),
      metadata,
    );
    let isClosed = false;
    stream
      .on('error', () => (isClosed = true))
      .on('end', () => (isClosed = true))
      .on('data', () => undefined);
    const response = await fetch(`${server.base}/hiber.event.EventService/Stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/connect+json', ...server.bearer },
      body: '\0\0\0\0\u0002{}',
    });
    const reading = response.body?.getReader().read();
    // Longer than all limits above, including the limit for a whole request.
    await wait(4500);
    const first = await Promise.race([reading, Promise.resolve('quiet')]);
    expect([isClosed, first]).toEqual([false, 'quiet']);
    stream.cancel();
    client.close();
  });
});

describe('HTTP/2', () => {
  test('allows 100 concurrent streams and 16 KB of headers', async () => {
    const session = connectHttp2(server.base);
    const settings = await new Promise((resolve) => session.once('remoteSettings', resolve));
    expect(settings).toMatchObject({ maxConcurrentStreams: 100, maxHeaderListSize: 16_384 });
    const request = session.request({ ':method': 'POST', ':path': INFO, 'x-long': 'x'.repeat(20_000) });
    const code = await new Promise((resolve) => {
      request.once('error', () => resolve(request.rstCode));
      request.once('response', ({ ':status': status }) => resolve(status));
    });
    expect([431, constants.NGHTTP2_ENHANCE_YOUR_CALM, constants.NGHTTP2_PROTOCOL_ERROR]).toContain(code);
    session.destroy();
  });

  test('ends the connection of a client that sends a flood of resets', async () => {
    const raw = await openRawSocket(server.port);
    raw.write(clientPreface);
    for (let stream = 1; stream < 3000; stream += 2) {
      raw.write(Buffer.concat([call(stream, {}, 0), frame(frameType.rst, 0, stream, Buffer.of(0, 0, 0, 8))]));
    }
    await expect(raw.ended).resolves.toBeUndefined();
  });

  test.each([
    ['pings', frame(frameType.ping, 0, 0, Buffer.alloc(8))],
    ['settings', frame(frameType.settings, 0, 0, Buffer.of(0, 3, 0, 0, 0, 1))],
  ])('ends the connection of a client that sends a flood of %s and reads nothing', async (_, buffer) => {
    const raw = await openRawSocket(server.port);
    raw.socket.pause();
    raw.write(clientPreface);
    const flood = Buffer.concat(Array.from({ length: 5000 }, () => buffer));
    // The server's responses fill the system's buffers first.
    const flooding = setInterval(() => raw.write(flood), 1);
    await expect(raw.ended).resolves.toBeUndefined();
    clearInterval(flooding);
  });
});

describe('connections beyond the limit', () => {
  let sockets: RawSocket[];
  const fillConnections = async () => {
    sockets = await Promise.all(Array.from({ length: 20 }, () => openRawSocket(server.port)));
    // Each sends an incomplete request, so none is closed as idle in the meantime.
    for (const raw of sockets) raw.write(post.slice(0, -1));
  };

  test('are refused in their own protocol and accepted once others have closed', async () => {
    await fillConnections();
    const rawSocket = await openRawSocket(server.port);
    rawSocket.write(post);
    await rawSocket.ended;
    expect(rawSocket.text()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 60[^]*maximum number of connections/);

    const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const error = await new Promise<ServiceError | null>((resolve) => {
      client.makeUnaryRequest(
        INFO,
        (bytes: Buffer) => bytes,
        (bytes) => bytes,
        Buffer.alloc(0),
        (serviceError) => resolve(serviceError),
      );
    });
    client.close();
    expect(error?.code).toBe(status.UNAVAILABLE);

    for (const raw of sockets) raw.socket.destroy();
    await expect.poll(async () => (await fetch(server.base)).status).toBe(200);
  });
});

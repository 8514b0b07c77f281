import { connect as connectHttp2 } from 'node:http2';
import { setTimeout as wait } from 'node:timers/promises';

import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CreateTagRequestSchema, TagService } from '#proto/gen/hiber/tag_pb.ts';
import { envelope, type TestListener, openRawSocket, startListening } from '#server/testkit/listener.ts';

let server: TestListener;
/** How many event subscriptions have started and ended. */
const subscriptions = { started: 0, ended: 0 };
/** The token check, which a test can delay. */
const tokenCheck = { started: () => undefined as void, finished: Promise.resolve() };

beforeAll(async () => {
  server = await startListening();
  const { identity, bus } = server.t.app;
  server.t.app.identity = {
    ...identity,
    async verify(token) {
      tokenCheck.started();
      await tokenCheck.finished;
      return identity.verify(token);
    },
  };
  server.t.app.bus = {
    ...bus,
    subscribe(...args) {
      subscriptions.started += 1;
      const end = bus.subscribe(...args);
      return () => {
        subscriptions.ended += 1;
        return end();
      };
    },
  };
});
beforeEach(() => {
  Object.assign(tokenCheck, { started: () => undefined, finished: Promise.resolve() });
});
afterAll(() => server.close());

/** Delays the token checks that follow. */
function delayTokenCheck() {
  let release = (): void => undefined;
  tokenCheck.finished = new Promise<void>((resolve) => (release = resolve));
  const checkStart = new Promise<void>((resolve) => (tokenCheck.started = resolve));
  return { started: checkStart, release };
}

const tag = (name: string): Buffer =>
  Buffer.from(toBinary(CreateTagRequestSchema, create(CreateTagRequestSchema, { create: { name } })));
const PATH = '/hiber.tag.TagService/Create';

interface TestCall {
  readonly path: string;
  readonly message: Buffer;
  readonly headers: Record<string, string>;
}
/**
 * Sends a call.
 *
 * @returns a function that hangs up
 */
type Send = (call: TestCall) => Promise<() => void>;

const overHttp2: Send = async ({ path, message, headers }) => {
  const session = connectHttp2(server.base);
  const request = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    ...server.bearer,
    ...headers,
  });
  request.on('error', () => undefined);
  request.resume().end(envelope(message));
  return () => session.destroy();
};
const overHttp1 =
  (type: string, encode: (message: Buffer) => Buffer): Send =>
  async ({ path, message, headers }) => {
    const raw = await openRawSocket(server.port);
    const body = encode(message);
    const fields = {
      host: 'localhost',
      'content-type': type,
      'content-length': String(body.length),
      ...server.bearer,
      ...headers,
    };
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
    raw.write(body);
    return () => raw.socket.destroy();
  };
const base64Envelope = (message: Buffer): Buffer => Buffer.from(envelope(message).toString('base64'));

const unary: [string, Send, Record<string, string>][] = [
  ['gRPC over HTTP/2', overHttp2, { 'grpc-timeout': '1n' }],
  ['gRPC-web over HTTP/1.1', overHttp1('application/grpc-web+proto', envelope), { 'grpc-timeout': '1n' }],
  ['gRPC-web text over HTTP/1.1', overHttp1('application/grpc-web-text', base64Envelope), { 'grpc-timeout': '1n' }],
  ['Connect over HTTP/1.1', overHttp1('application/proto', (message) => message), { 'connect-timeout-ms': '1' }],
];

/** Waits for responses to later requests, by which time the server must have handled earlier ones. */
async function waitForRoundTrips(): Promise<void> {
  for (let trip = 0; trip < 3; trip++) {
    await fetch(server.base);
    await wait(10);
  }
}
const findTag = async (name: string) =>
  (await server.t.as('administrator').client(TagService).list({})).tags.some((tag) => tag.label?.name === name);

describe.each(unary)('%s: a call that is still being checked', (protocol, send, deadline) => {
  test('is not executed if its caller has hung up', async () => {
    const { started, release } = delayTokenCheck();
    const hangUp = await send({ path: PATH, message: tag(`Gone ${protocol}`), headers: {} });
    await started;
    hangUp();
    await waitForRoundTrips();
    release();
    await waitForRoundTrips();
    expect(await findTag(`Gone ${protocol}`)).toBe(false);
  });

  test('is not executed if its deadline has passed', async () => {
    const { started, release } = delayTokenCheck();
    const hangUp = await send({ path: PATH, message: tag(`Late ${protocol}`), headers: deadline });
    await started;
    await waitForRoundTrips();
    release();
    await waitForRoundTrips();
    expect(await findTag(`Late ${protocol}`)).toBe(false);
    hangUp();
  });

  test('is executed if its caller waits and it has no deadline', async () => {
    const hangUp = await send({ path: PATH, message: tag(`Kept ${protocol}`), headers: {} });
    await expect.poll(() => findTag(`Kept ${protocol}`)).toBe(true);
    hangUp();
  });

  test('is executed if its deadline exceeds the range of a timer', async () => {
    const headers: Record<string, string> =
      'grpc-timeout' in deadline ? { 'grpc-timeout': '2562047H' } : { 'connect-timeout-ms': '9999999999' };
    const hangUp = await send({ path: PATH, message: tag(`Far ${protocol}`), headers });
    await expect.poll(() => findTag(`Far ${protocol}`)).toBe(true);
    hangUp();
  });
});

describe.each([
  ['gRPC over HTTP/2', overHttp2, { 'grpc-timeout': '300m' }],
  ['gRPC-web over HTTP/1.1', overHttp1('application/grpc-web+proto', envelope), { 'grpc-timeout': '300m' }],
  ['gRPC-web text over HTTP/1.1', overHttp1('application/grpc-web-text', base64Envelope), { 'grpc-timeout': '300m' }],
  ['Connect over HTTP/1.1', overHttp1('application/connect+proto', envelope), { 'connect-timeout-ms': '300' }],
] as [string, Send, Record<string, string>][])('%s: a stream ends', (_, send, deadline) => {
  const stream = { path: '/hiber.event.EventService/Stream', message: Buffer.of() };

  test('when its caller hangs up', async () => {
    const before = { ...subscriptions };
    const hangUp = await send({ ...stream, headers: {} });
    await expect.poll(() => subscriptions.started).toBe(before.started + 1);
    hangUp();
    await expect.poll(() => subscriptions.ended).toBe(before.ended + 1);
  });

  test('at its deadline', async () => {
    const before = { ...subscriptions };
    const hangUp = await send({ ...stream, headers: deadline });
    await expect.poll(() => subscriptions.started).toBe(before.started + 1);
    await expect.poll(() => subscriptions.ended).toBe(before.ended + 1);
    hangUp();
  });
});

import { create, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventStreamRequestSchema } from '#proto/gen/hiber/event_service_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { envelope, type TestListener, startListening } from '#server/testkit/listener.ts';

let server: TestListener;
beforeAll(async () => {
  server = await startListening();
});
afterAll(() => server.close());

const PATH = '/hiber.event.EventService/Stream';
const request = Buffer.from(toBinary(EventStreamRequestSchema, create(EventStreamRequestSchema)));
const foreignRequest = Buffer.from(
  toBinary(EventStreamRequestSchema, create(EventStreamRequestSchema, { organization: 'no-such-organization' })),
);
let invitationCount = 0;
/** Triggers an event that streams deliver. */
const triggerEvent = () =>
  server.t
    .as('administrator')
    .client(UserService)
    .invite({ email: `${invitationCount++}@new.example`, roles: { include: ['viewer'] } });

describe('a stream sends its headers when subscribed, before the first event', () => {
  test('over native gRPC', async () => {
    const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('authorization', server.bearer.authorization);
    const open = (body: Buffer) =>
      client.makeServerStreamRequest(
        PATH,
        (bytes: Buffer) => bytes,
        (bytes) => bytes,
        body,
        metadata,
      );
    const stream = open(request);
    stream.on('error', () => undefined);
    await new Promise((resolve) => stream.once('metadata', resolve));
    const event = new Promise((resolve) => stream.once('data', resolve));
    await triggerEvent();
    expect(await event).toBeInstanceOf(Buffer);
    stream.cancel();

    const deniedStream = open(foreignRequest);
    const error = await new Promise((resolve) => deniedStream.once('error', resolve));
    expect(error).toMatchObject({ code: 7 });
    client.close();
  });

  test.each([
    ['gRPC-web', 'application/grpc-web+proto', (body: Buffer) => new Uint8Array(envelope(body))],
    ['gRPC-web text', 'application/grpc-web-text', (body: Buffer) => envelope(body).toString('base64')],
    ['Connect', 'application/connect+proto', (body: Buffer) => new Uint8Array(envelope(body))],
  ])('over %s', async (_, type, encode) => {
    const open = (body: Buffer, signal: AbortSignal | null = null) =>
      fetch(server.base + PATH, {
        method: 'POST',
        body: encode(body),
        headers: { 'content-type': type, ...server.bearer },
        signal,
      });
    const hangUp = new AbortController();
    const response = await open(request, hangUp.signal);
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await triggerEvent();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(5);
    hangUp.abort();

    const text = Buffer.from(await (await open(foreignRequest)).arrayBuffer()).toString();
    const decodedText = type.includes('text') ? Buffer.from(text, 'base64').toString() : text;
    expect(decodedText).toMatch(/grpc-status: 7|permission_denied/);
  });
});

import { fromBinary, toBinary, create } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { GrpcWebClientBase, MethodDescriptor, MethodType, type RpcError } from 'grpc-web';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Event, EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventStreamRequestSchema } from '#proto/gen/hiber/event_service_pb.ts';
import {
  ListTagsRequestSchema,
  type ListTagsRequest_Response,
  ListTagsRequest_ResponseSchema,
} from '#proto/gen/hiber/tag_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { envelope, type TestListener, startListening } from '#server/testkit/listener.ts';

import { decodeText } from './grpc-web-text.ts';

let server: TestListener;
beforeAll(async () => {
  server = await startListening();
});
afterAll(() => server.close());

const TEXT = 'application/grpc-web-text+proto';
const LIST = '/hiber.tag.TagService/List';
const listRequest = Buffer.from(toBinary(ListTagsRequestSchema, create(ListTagsRequestSchema)));

const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(server.base + path, {
    method: 'POST',
    body,
    headers: { 'content-type': TEXT, 'x-grpc-web': '1', ...server.bearer, ...headers },
    ...(typeof body === 'string' ? {} : { duplex: 'half' }),
  });

/** Returns the frames of a base64 body, which can have padding after each chunk. */
function decodeFrames(base64: string) {
  const bytes = Buffer.concat((base64.match(/.{4}/g) ?? []).map((group) => Buffer.from(group, 'base64')));
  const frames: { flags: number; data: Buffer }[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = bytes.readUInt32BE(offset + 1);
    frames.push({ flags: bytes.readUInt8(offset), data: bytes.subarray(offset + 5, offset + 5 + length) });
    offset += 5 + length;
  }
  return frames;
}

describe('gRPC-web text', () => {
  test('gets a response as text, with the status in the last frame', async () => {
    const response = await post(LIST, envelope(listRequest).toString('base64'));
    expect(response.headers.get('content-type')).toBe(TEXT);
    const [message, trailers] = decodeFrames(await response.text());
    expect(fromBinary(ListTagsRequest_ResponseSchema, message?.data ?? Buffer.of()).tags.length).toBeGreaterThan(3);
    expect([trailers?.flags, trailers?.data.toString()]).toEqual([0x80, expect.stringContaining('grpc-status: 0')]);
  });

  test('accepts chunks split anywhere, with or without padding', async () => {
    const request = create(ListTagsRequestSchema, { organization: 'northwind' });
    const message = envelope(toBinary(ListTagsRequestSchema, request));
    const encoded = message.toString('base64');
    const paddedText = [...message].map((byte) => Buffer.of(byte).toString('base64')).join('');
    for (const base64 of [encoded, paddedText]) {
      for (const size of [1, 2, 3, 5, 7]) {
        const chunks = base64.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
        const body = new ReadableStream<Uint8Array>({
          async start(controller) {
            for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
            controller.close();
          },
        });
        const [, trailers] = decodeFrames(await (await post(LIST, body)).text());
        expect(trailers?.data.toString(), `${size}`).toContain('grpc-status: 0');
      }
    }
  });

  test('is detected by its content type or its accept header', async () => {
    const base64 = envelope(listRequest).toString('base64');
    const requests: [string, string, BodyInit, string][] = [
      ['application/grpc-web-text', '*/*', base64, TEXT],
      ['application/grpc-web-text', 'application/grpc-web-text', base64, TEXT],
      ['application/grpc-web-text', 'application/grpc-web+proto', base64, 'application/grpc-web+proto'],
      ['application/grpc-web+proto', 'application/grpc-web-text', new Uint8Array(envelope(listRequest)), TEXT],
    ];
    for (const [type, accept, body, expected] of requests) {
      const response = await post(LIST, body, { 'content-type': type, accept });
      expect([response.status, response.headers.get('content-type')], `${type} ${accept}`).toEqual([200, expected]);
    }
  });

  test('returns errors as text', async () => {
    const invalidRequests: [string, string, Record<string, string>, Code][] = [
      [LIST, 'AAAA*AAA', {}, Code.InvalidArgument],
      [LIST, 'AAAAA', {}, Code.InvalidArgument],
      [LIST, '', { authorization: '' }, Code.Unauthenticated],
      [LIST, envelope(Buffer.alloc(5_000_000)).toString('base64'), {}, Code.ResourceExhausted],
    ];
    for (const [path, body, headers, code] of invalidRequests) {
      const [trailers] = decodeFrames(await (await post(path, body, headers)).text());
      expect(trailers?.data.toString(), body.slice(0, 20)).toContain(`grpc-status: ${code}\r\n`);
    }
    const unknown = await post('/hiber.no.SuchService/List', '');
    expect([unknown.headers.get('content-type'), unknown.headers.get('grpc-status')]).toEqual([TEXT, '12']);
  });
});

/**
 * Implements the part of a browser's XMLHttpRequest that the client uses, because implementations for Node report
 * nothing before the end of a response.
 */
class StreamingRequest {
  readyState = 0;
  status = 0;
  statusText = '';
  responseText = '';
  onreadystatechange: (() => void) | null = null;
  #url = '';
  readonly #headers = new Headers();
  readonly #stop = new AbortController();
  #responseHeaders = new Headers();

  open(_method: string, url: string): void {
    this.#url = url;
    this.#enter(1);
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  getResponseHeader(name: string): string | null {
    return this.#responseHeaders.get(name);
  }
  getAllResponseHeaders(): string {
    return [...this.#responseHeaders].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }
  abort(): void {
    this.onreadystatechange = null;
    this.#stop.abort();
  }
  send(body: string): void {
    // A failure appears as status 0, as in a browser.
    this.#receive(body).catch(() => this.#enter(4));
  }

  async #receive(body: string): Promise<void> {
    const init = { method: 'POST', body, headers: this.#headers, signal: this.#stop.signal };
    const response = await fetch(this.#url, init);
    [this.status, this.#responseHeaders] = [response.status, response.headers];
    this.#enter(2);
    for await (const chunk of response.body ?? []) {
      this.responseText += Buffer.from(chunk).toString('latin1');
      this.#enter(3);
    }
    this.#enter(4);
  }

  #enter(state: number): void {
    this.readyState = state;
    this.onreadystatechange?.();
  }
}

describe('the grpc-web client', () => {
  beforeAll(() => void Object.assign(globalThis, { XMLHttpRequest: StreamingRequest }));
  afterAll(() => void Reflect.deleteProperty(globalThis, 'XMLHttpRequest'));

  test('makes calls in text mode', async () => {
    const client = new GrpcWebClientBase({ format: 'text' });
    const method = new MethodDescriptor<object, ListTagsRequest_Response>(
      LIST,
      MethodType.UNARY,
      Object,
      Object as never,
      () => listRequest,
      (bytes: Uint8Array) => fromBinary(ListTagsRequest_ResponseSchema, bytes),
    );
    const response = await new Promise<ListTagsRequest_Response>((resolve, reject) => {
      client.rpcCall(server.base + LIST, {}, server.bearer, method, (error, response) => {
        if (error) reject(error);
        else resolve(response);
      });
    });
    expect(response.tags.length).toBeGreaterThan(3);
  });

  test('streams each event as it happens, in text mode', async () => {
    const client = new GrpcWebClientBase({ format: 'text' });
    const path = '/hiber.event.EventService/Stream';
    const method = new MethodDescriptor<object, Event>(
      path,
      MethodType.SERVER_STREAMING,
      Object,
      Object as never,
      () => toBinary(EventStreamRequestSchema, create(EventStreamRequestSchema)),
      (bytes: Uint8Array) => fromBinary(EventSchema, bytes),
    );
    const metadata = { ...server.bearer, 'quarterdeck-keep-alive': '300' };
    const stream = client.serverStreaming(server.base + path, {}, metadata, method);
    const chunks: string[] = [];
    const failure = new Promise<RpcError>((resolve) => stream.on('error', resolve));
    const next = () =>
      Promise.race([
        failure.then((error) => Promise.reject(error)),
        new Promise<void>((resolve) => stream.on('data', () => resolve())),
      ]);
    stream.on('data', (event) => void chunks.push(event.event.case ?? 'subscribed'));
    await next();
    const users = server.t.as('administrator').client(UserService);
    for (const email of ['a@new.example', 'bc@new.example', 'def@new.example']) {
      const arrived = next();
      await users.invite({ email, roles: { include: ['viewer'] } });
      await arrived;
    }
    stream.cancel();
    expect(chunks).toEqual(['subscribed', 'userInvited', 'userInvited', 'userInvited']);
  });
});

describe('decoding base64', () => {
  const decode = async (chunks: string[]) => {
    async function* arrivingChunks() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    const parts: Uint8Array[] = [];
    for await (const part of decodeText(arrivingChunks())) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  test('accepts padding anywhere and chunks of any length', async () => {
    const base64 = ['a', 'bc', 'def', 'ghij', 'k'].map((part) => Buffer.from(part).toString('base64')).join('');
    for (let offset = 0; offset <= base64.length; offset++) {
      for (let end = offset; end <= base64.length; end++) {
        const chunks = [base64.slice(0, offset), base64.slice(offset, end), base64.slice(end)];
        expect(await decode(chunks)).toBe('abcdefghijk');
      }
    }
  });

  test.each(['=AAA', 'A===', 'AA=A', 'AA A', 'AAA\n', 'AAAA-_AA', 'A', 'AAAAAA'])('rejects %j', async (invalid) => {
    await expect(decode([invalid])).rejects.toMatchObject({ code: Code.InvalidArgument });
  });
});

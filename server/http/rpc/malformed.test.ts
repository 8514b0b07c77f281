import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, constants } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Code } from '@connectrpc/connect';
import { codeFromString } from '@connectrpc/connect/protocol-connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listen, type Listener } from '#server/http/connection/listener.ts';
import { createHandler } from '#server/http/handler.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-malformed-'));
const stopController = new AbortController();
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

const UNARY = '/hiber.tag.TagService/List';
const STREAMING = '/hiber.event.EventService/Stream';
const authorization = () => `Bearer ${t.as('viewer').bearer}`;

function envelope(data: Uint8Array): Uint8Array {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(data.length, 1);
  return Buffer.concat([header, data]);
}

/** Malformed messages, each with its defect. */
const malformed: readonly [string, number[]][] = [
  ['a length beyond the end of the message', [0x0a, 0x7f, 0x61]],
  ['an unterminated varint', [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ['an unknown wire type', [0x0f, 0x01]],
  ['an unmatched end of group', [0x0c]],
  ['text that is not UTF-8', [0x0a, 0x02, 0xc3, 0x28]],
];

const post = (path: string, type: string, body: Uint8Array | string) =>
  fetch(base + path, {
    method: 'POST',
    headers: { authorization: authorization(), 'content-type': type },
    body: Buffer.from(body),
  });

/** Returns the code and message of a response in one of the browser's protocols. */
async function readOutcome(response: Response): Promise<{ code: number | undefined; message: string }> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/grpc-web')) {
    const text = response.headers.has('grpc-status')
      ? [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      : await response.text();
    const code = Number(/grpc-status: (\d+)/.exec(text)?.[1]);
    return { code, message: decodeURIComponent(/grpc-message: (.*)/.exec(text)?.[1] ?? '') };
  }
  const text = await response.text();
  const json = JSON.parse(text.slice(text.indexOf('{'))) as {
    error?: { code: string; message: string };
    code?: string;
  };
  const { code = '', message = '' } = (json.error ?? json) as { code?: string; message?: string };
  return { code: codeFromString(code), message };
}

function overGrpc(path: string, body: Uint8Array, form = 'proto'): Promise<{ code: number; message: string }> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(base);
    session.on('error', reject);
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      authorization: authorization(),
      'content-type': `application/grpc+${form}`,
      te: 'trailers',
    });
    let text: Record<string, unknown> = {};
    const collect = (headers: object) => (text = { ...text, ...headers });
    stream.on('response', collect).on('trailers', collect).on('error', reject).resume();
    stream.on('close', () => {
      session.close();
      resolve({ code: Number(text['grpc-status']), message: decodeURIComponent(String(text['grpc-message'])) });
    });
    stream.end(envelope(body));
  });
}

describe('a malformed message', () => {
  const invalid = { code: Code.InvalidArgument, message: expect.stringContaining('parse binary: ') };

  test.each(malformed)('is rejected with INVALID_ARGUMENT in every protocol: %s', async (_, numbers) => {
    const body = Uint8Array.from(numbers);
    const response = await post(UNARY, 'application/proto', body);
    expect(response.status).toBe(400);
    expect(await readOutcome(response)).toEqual(invalid);
    for (const path of [UNARY, STREAMING]) {
      expect(await readOutcome(await post(path, 'application/grpc-web+proto', envelope(body))), path).toEqual(invalid);
      expect(await overGrpc(path, body), path).toEqual(invalid);
    }
    expect(await readOutcome(await post(STREAMING, 'application/connect+proto', envelope(body)))).toEqual(invalid);
  });

  test('is rejected with INVALID_ARGUMENT in JSON', async () => {
    const bodies = [
      '{',
      '[]',
      'null',
      '{"organization":1}',
      '{"selection":{"search":"a"}}',
      '{"organization":"\\ud800"}',
    ];
    for (const text of bodies) {
      expect((await readOutcome(await post(UNARY, 'application/json', text))).code, text).toBe(Code.InvalidArgument);
      const envelopedText = envelope(Buffer.from(text));
      expect((await readOutcome(await post(UNARY, 'application/grpc-web+json', envelopedText))).code, text).toBe(
        Code.InvalidArgument,
      );
    }
    const invalidUtf8 = Uint8Array.from([...Buffer.from('{"organization":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
    expect((await readOutcome(await post(UNARY, 'application/json', invalidUtf8))).code).toBe(Code.InvalidArgument);
  });

  test('is rejected even if the error quotes half a surrogate pair', async () => {
    const text = Buffer.from(String.raw`"\ud800"`);
    expect((await readOutcome(await post(UNARY, 'application/grpc-web+json', envelope(text)))).code).toBe(
      Code.InvalidArgument,
    );
    expect((await overGrpc(UNARY, text, 'json')).code).toBe(Code.InvalidArgument);
  });

  test('does not affect valid messages', async () => {
    expect((await post(UNARY, 'application/proto', new Uint8Array())).status).toBe(200);
    expect(await overGrpc(UNARY, new Uint8Array())).toMatchObject({ code: 0 });
    expect(
      await readOutcome(await post(UNARY, 'application/grpc-web+proto', envelope(new Uint8Array()))),
    ).toMatchObject({
      code: 0,
    });
  });
});

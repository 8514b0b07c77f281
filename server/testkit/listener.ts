import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ConnectionLimits, defaultLimits } from '#server/http/connection/connection-limits.ts';
import { listen } from '#server/http/connection/listener.ts';
import { createHandler } from '#server/http/handler.ts';
import { type BodyTimeouts, defaultTimeouts } from '#server/http/rpc/request-body.ts';

import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

/** A test server behind a real HTTP listener. */
export interface TestListener {
  readonly t: TestServer;
  readonly port: number;
  readonly base: string;
  /** Starts the shutdown, as Ctrl-C does. */
  readonly shutdown: AbortController;
  readonly bearer: Record<'authorization', string>;
  close(): Promise<void>;
}

export interface TestListenerOptions extends TestServerOptions {
  readonly limits?: Partial<ConnectionLimits>;
  readonly timeouts?: Partial<BodyTimeouts>;
}

export async function startListening({
  limits,
  timeouts,
  ...options
}: TestListenerOptions = {}): Promise<TestListener> {
  const consoleFolder = mkdtempSync(join(tmpdir(), 'quarterdeck-console-'));
  writeFileSync(join(consoleFolder, 'index.html'), '<!doctype html><title>Console</title>');
  const t = await startTestServer(options);
  const shutdown = new AbortController();
  const handler = createHandler(t.app, {
    consoleFolder,
    identityPort: undefined,
    shutdown: shutdown.signal,
    timeouts: { ...defaultTimeouts, ...timeouts },
  });
  const server = await listen(handler, '127.0.0.1', 0, { ...defaultLimits, ...limits });
  return {
    t,
    port: server.port,
    base: `http://127.0.0.1:${server.port}`,
    shutdown,
    bearer: { authorization: `Bearer ${t.as('administrator').bearer}` },
    async close() {
      shutdown.abort();
      await server.close();
      await t.close();
      rmSync(consoleFolder, { recursive: true });
    },
  };
}

/** A socket and the bytes that it has received. */
export interface RawSocket {
  readonly socket: Socket;
  bytes(): Buffer;
  text(): string;
  write(data: string | Uint8Array): void;
  /**
   * Resolves once `isComplete` is true for the received bytes.
   *
   * @throws if the connection ends first
   */
  until(isComplete: (bytes: Buffer) => boolean): Promise<void>;
  /** Resolves when the server ends the connection. */
  readonly ended: Promise<void>;
}

export async function openRawSocket(port: number): Promise<RawSocket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let bytes = Buffer.alloc(0);
  let closed = false;
  let wakeUp = (): void => undefined;
  const closedPromise = new Promise<void>((resolve) => {
    const end = (): void => {
      closed = true;
      resolve();
      wakeUp();
    };
    socket.once('end', end).once('close', end);
  });
  // Some tests wait for the server to close a connection.
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    wakeUp();
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    bytes: () => bytes,
    text: () => bytes.toString('latin1'),
    write: (data) => void socket.write(data),
    async until(isComplete) {
      while (!isComplete(bytes)) {
        if (closed) throw new Error(`The connection ended after: ${bytes.toString('latin1')}`);
        await new Promise<void>((resolve) => (wakeUp = resolve));
      }
    },
    ended: closedPromise,
  };
}

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export const frameType = { data: 0, headers: 1, rst: 3, settings: 4, ping: 6, goAway: 7 } as const;
export const END_STREAM = 1;
const END_HEADERS = 4;

export const HTTP2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

export function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** Encodes HEADERS with END_HEADERS, in HPACK's simplest form: literals without indexing or compression. */
export function headersFrame(stream: number, headers: Readonly<Record<string, string>>, flags = 0): Buffer {
  const text = (value: string): Buffer => Buffer.concat([integer(Buffer.byteLength(value)), Buffer.from(value)]);
  const fields = Object.entries(headers).map(([name, value]) => Buffer.concat([Buffer.of(0), text(name), text(value)]));
  return frame(frameType.headers, END_HEADERS | flags, stream, Buffer.concat(fields));
}

/** Encodes HPACK's integer with a prefix of seven bits (RFC 7541, 5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.of(value);
  const bytes = [127];
  let remaining = value - 127;
  for (; remaining >= 128; remaining = Math.floor(remaining / 128)) bytes.push((remaining % 128) + 128);
  return Buffer.of(...bytes, remaining);
}

/** Returns the complete frames in the received bytes. */
export function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let offset = 0; offset + 9 <= bytes.length;) {
    const length = bytes.readUIntBE(offset, 3);
    if (offset + 9 + length > bytes.length) break;
    frames.push({
      type: bytes.readUInt8(offset + 3),
      flags: bytes.readUInt8(offset + 4),
      stream: bytes.readUInt32BE(offset + 5),
      payload: bytes.subarray(offset + 9, offset + 9 + length),
    });
    offset += 9 + length;
  }
  return frames;
}

/** Wraps a message in gRPC's envelope. */
export function envelope(message: Uint8Array, flags = 0): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt8(flags, 0);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

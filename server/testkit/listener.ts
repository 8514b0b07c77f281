import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';
import { type ConnectionLimits, defaultLimits } from '#server/http/connection/connection-limits.ts';
import { createHandler } from '#server/http/handler.ts';
import { listen } from '#server/http/connection/listener.ts';
import { type BodyPatience, defaultPatience } from '#server/http/rpc/request-body.ts';

/** The real server behind the real listener. */
export interface Listening {
  readonly t: TestServer;
  readonly port: number;
  readonly base: string;
  /** Begins to stop, as Ctrl-C does. */
  readonly shutdown: AbortController;
  readonly bearer: Record<'authorization', string>;
  close(): Promise<void>;
}

export interface ListeningOptions extends TestServerOptions {
  readonly limits?: Partial<ConnectionLimits>;
  readonly patience?: Partial<BodyPatience>;
}

export async function startListening({ limits, patience, ...options }: ListeningOptions = {}): Promise<Listening> {
  const consoleFolder = mkdtempSync(join(tmpdir(), 'quarterdeck-console-'));
  writeFileSync(join(consoleFolder, 'index.html'), '<!doctype html><title>Console</title>');
  const t = await startTestServer(options);
  const shutdown = new AbortController();
  const handler = createHandler(t.app, {
    consoleFolder,
    identityPort: undefined,
    shutdown: shutdown.signal,
    patience: { ...defaultPatience, ...patience },
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

/** A socket, and all that arrived on it. */
export interface RawSocket {
  readonly socket: Socket;
  bytes(): Buffer;
  text(): string;
  write(data: string | Uint8Array): void;
  /** Resolves once `seen` is true of what arrived. @throws when the connection ends before */
  until(seen: (bytes: Buffer) => boolean): Promise<void>;
  /** Resolves when the server ends the connection. */
  readonly ended: Promise<void>;
}

export async function rawSocket(port: number): Promise<RawSocket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let bytes = Buffer.alloc(0);
  let over = false;
  let wakeUp = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      over = true;
      resolve();
      wakeUp();
    };
    socket.once('end', end).once('close', end);
  });
  // A connection that the server cuts is what some tests wait for.
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
    async until(seen) {
      while (!seen(bytes)) {
        if (over) throw new Error(`The connection ended after: ${bytes.toString('latin1')}`);
        await new Promise<void>((resolve) => (wakeUp = resolve));
      }
    },
    ended,
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

/** HEADERS that end the headers, in HPACK's plainest form: literals, not indexed, not compressed. */
export function headersFrame(stream: number, headers: Readonly<Record<string, string>>, flags = 0): Buffer {
  const text = (value: string): Buffer => Buffer.concat([integer(Buffer.byteLength(value)), Buffer.from(value)]);
  const fields = Object.entries(headers).map(([name, value]) => Buffer.concat([Buffer.of(0), text(name), text(value)]));
  return frame(frameType.headers, END_HEADERS | flags, stream, Buffer.concat(fields));
}

/** HPACK's integer with a prefix of seven bits (RFC 7541, 5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.of(value);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}

/** The whole frames in what arrived. */
export function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 9 <= bytes.length;) {
    const length = bytes.readUIntBE(at, 3);
    if (at + 9 + length > bytes.length) break;
    frames.push({
      type: bytes.readUInt8(at + 3),
      flags: bytes.readUInt8(at + 4),
      stream: bytes.readUInt32BE(at + 5),
      payload: bytes.subarray(at + 9, at + 9 + length),
    });
    at += 9 + length;
  }
  return frames;
}

/** One message in the envelope of gRPC. */
export function enveloped(message: Uint8Array, flags = 0): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt8(flags, 0);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

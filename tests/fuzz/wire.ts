import { type ClientHttp2Session, connect, constants } from 'node:http2';

import { Code } from '@connectrpc/connect';
import { codeFromString } from '@connectrpc/connect/protocol-connect';
import { Pool } from 'undici';

export const protocols = ['connect', 'grpc-web', 'grpc'] as const;
export type Protocol = (typeof protocols)[number];

export interface Call {
  readonly path: string;
  readonly streaming: boolean;
  readonly caller: string;
  readonly bearer: string | undefined;
  readonly protocol: Protocol;
  readonly json: boolean;
  readonly body: Uint8Array;
}

export interface Reply {
  /** A gRPC status code; undefined if the response violates the protocol. */
  readonly code: number | undefined;
  /** The error message in the response. */
  readonly message: string;
  readonly milliseconds: number;
}

/** A stream that the server hasn't denied within this time counts as open, and the caller closes it. */
const STREAM_OPEN_MS = 60;
/** A call that takes longer counts as a failure. */
const TIMEOUT_MS = 60_000;
/**
 * The memory limit in MB for the client's side of an HTTP/2 connection. If the server resets a stream, Node keeps
 * counting the stream's unsent data as session memory. Above its default limit of 10 MB, it rejects trailers from the
 * server with ENHANCE_YOUR_CALM.
 */
const SESSION_MEMORY = 2000;
/** The number of calls per HTTP/2 connection, which keeps it below that limit. */
const CALLS_PER_SESSION = 1000;

/** The number of connections to try for a call if the server closes them without processing it. */
const MAX_CONNECTIONS = 3;

export interface Client {
  send(call: Call): Promise<Reply>;
  close(): Promise<void>;
}

/** Sends calls unchanged, byte for byte, in each protocol that the port supports. */
export function openClient(port: number, connections: number): Client {
  const origin = `http://127.0.0.1:${port}`;
  const pool = new Pool(origin, { connections, bodyTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS });
  let session: ClientHttp2Session | undefined;
  let remainingCalls = 0;
  const openSession = (): ClientHttp2Session => {
    if (remainingCalls === 0) session?.close();
    if (session === undefined || session.destroyed || session.closed) {
      remainingCalls = CALLS_PER_SESSION;
      session = connect(origin, { maxSessionMemory: SESSION_MEMORY });
      session.on('error', () => undefined);
    }
    remainingCalls -= 1;
    return session;
  };
  /**
   * Retries a call on another connection if the server closed the first without processing it, as gRPC's clients do
   * silently.
   */
  const retryOverHttp2 = async (call: Call, signal: AbortSignal): Promise<Outcome> => {
    for (let remainingRetries = MAX_CONNECTIONS; ; remainingRetries -= 1) {
      const current = openSession();
      try {
        return await sendOverHttp2(current, call, signal);
      } catch (error) {
        if (remainingRetries === 0 || !/REFUSED_STREAM|GOAWAY_SESSION/.test(String(error))) throw error;
        if (session === current) remainingCalls = 0;
      }
    }
  };
  return {
    async send(call) {
      const start = performance.now();
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), call.streaming ? STREAM_OPEN_MS : TIMEOUT_MS);
      try {
        const outcome = await (call.protocol === 'grpc'
          ? retryOverHttp2(call, abort.signal)
          : sendOverHttp1(pool, call, abort.signal).catch((error: unknown) => {
              // A persistent connection may close between two calls, and fails only on the next write (RFC 9112, 9.5).
              // A second connection shows whether this call makes the server close the connection.
              if (!isBrokenConnection(error)) throw error;
              return sendOverHttp1(pool, call, abort.signal);
            }));
        return { ...outcome, milliseconds: performance.now() - start };
      } catch (error) {
        const milliseconds = performance.now() - start;
        if (abort.signal.aborted && call.streaming) return { code: 0, message: '', milliseconds };
        return { code: undefined, message: String(error), milliseconds };
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      session?.destroy();
      await pool.destroy();
    },
  };
}

const isBrokenConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET');

type Outcome = Pick<Reply, 'code' | 'message'>;

const authorization = (bearer: string | undefined): Record<string, string> =>
  bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };

/** Returns a message in gRPC's framing. */
export function envelope(data: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(data.length, 1);
  return Buffer.concat([header, data]);
}

async function sendOverHttp1(pool: Pool, call: Call, signal: AbortSignal): Promise<Outcome> {
  const form = call.json ? 'json' : 'proto';
  const type =
    call.protocol === 'grpc-web'
      ? `application/grpc-web+${form}`
      : `application/${call.streaming ? 'connect+' : ''}${form}`;
  const isEnveloped = call.protocol === 'grpc-web' || call.streaming;
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: call.path,
    headers: { ...authorization(call.bearer), 'content-type': type },
    body: isEnveloped ? envelope(call.body) : Buffer.from(call.body),
    signal,
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (call.protocol === 'grpc-web') return grpcWebOutcome(headers, bytes);
  if (call.streaming) return jsonOutcome(lastEnvelope(bytes), statusCode);
  return statusCode === 200 ? { code: 0, message: '' } : jsonOutcome(bytes.toString(), statusCode);
}

function grpcWebOutcome(headers: Record<string, string | string[] | undefined>, bytes: Buffer): Outcome {
  const { 'grpc-status': status, 'grpc-message': message = '' } = headers;
  if (status !== undefined) return grpcOutcome(status, message);
  const trailers = lastEnvelope(bytes);
  return grpcOutcome(/grpc-status: *(\d+)/.exec(trailers)?.[1], /grpc-message: *(.*)/.exec(trailers)?.[1] ?? '');
}

function grpcOutcome(status: unknown, message: unknown): Outcome {
  const code = typeof status === 'string' && /^\d+$/.test(status) ? Number(status) : undefined;
  return { code, message: typeof message === 'string' ? message : '' };
}

/** Returns the text of the envelope that ends a response. */
function lastEnvelope(bytes: Buffer): string {
  let offset = 0;
  let last = '';
  while (offset + 5 <= bytes.length) {
    const length = bytes.readUInt32BE(offset + 1);
    last = bytes.subarray(offset + 5, offset + 5 + length).toString();
    offset += 5 + length;
  }
  return last;
}

function jsonOutcome(text: string, status: number): Outcome {
  try {
    const { error, code, message } = JSON.parse(text) as { error?: Outcome; code?: string; message?: string };
    if (code === undefined && error === undefined) return { code: status === 200 ? 0 : undefined, message: text };
    const failure = error ?? { code, message };
    return { code: codeFromString(String(failure.code)), message: failure.message ?? '' };
  } catch {
    return { code: undefined, message: `HTTP ${status}: ${text.slice(0, 200)}` };
  }
}

function sendOverHttp2(session: ClientHttp2Session, call: Call, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: call.path,
      ...authorization(call.bearer),
      'content-type': `application/grpc+${call.json ? 'json' : 'proto'}`,
      te: 'trailers',
    });
    const message: Record<string, unknown> = {};
    const collect = (headers: object) => void Object.assign(message, headers);
    const cancel = () => {
      stream.close(constants.NGHTTP2_CANCEL);
      reject(new Error('aborted'));
    };
    signal.addEventListener('abort', cancel, { once: true });
    stream.on('response', collect).on('trailers', collect).on('error', reject).resume();
    stream.on('close', () => {
      signal.removeEventListener('abort', cancel);
      resolve(grpcOutcome(message['grpc-status'], message['grpc-message']));
    });
    stream.end(envelope(call.body));
  });
}

export const codeName = (code: number | undefined): string =>
  code === undefined ? 'NO ANSWER' : code === 0 ? 'OK' : (Code[code] ?? String(code));

/** Codes that no request may cause; undefined stands for a missing or invalid response. */
const DEFECT_CODES: ReadonlySet<number | undefined> = new Set([undefined, Code.Internal, Code.Unknown, Code.DataLoss]);

export const isDefect = ({ code }: Reply): boolean => DEFECT_CODES.has(code);

import type { IncomingMessage } from 'node:http';

import type { DescMessage } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { compressionBrotli, compressionGzip } from '@connectrpc/connect-node';
import { pipe, readAllBytes, transformJoinEnvelopes, transformSplitEnvelope } from '@connectrpc/connect/protocol';

import type { NodeRequest } from '#server/http/connection/node.ts';
import { hasMoreParts, MAX_PARTS } from '#server/wire/requests/parts.ts';
import { shorten } from '#server/wire/text.ts';

import { decodeText } from './grpc-web-text.ts';
import { MAX_JSON_DEPTH, exceededLimit, findRepeatedKey } from './json-shape.ts';

/** Time limits for a request to arrive. */
export interface BodyTimeouts {
  /** The maximum time between two bytes. */
  readonly idleMs: number;
  /** The maximum time for the whole request. */
  readonly totalMs: number;
}

/** Detects a dead client soon, but allows 4 MB to arrive over a slow uplink of 300 kbit/s. */
export const defaultTimeouts: BodyTimeouts = { idleMs: 30_000, totalMs: 120_000 };

export const compressions = [compressionGzip, compressionBrotli];
type Compression = (typeof compressions)[number];

export interface Authentication {
  /** The number of bytes accepted from an unauthenticated caller, before and after decompression. */
  readonly freeBytes: number;
  /**
   * Authenticates the caller.
   *
   * @throws ConnectError if the caller cannot be authenticated
   */
  verify(): Promise<void>;
}

export interface BodyFormat {
  /** The maximum size of one message in bytes, before and after decompression. */
  readonly maxBytes: number;
  /** Required before large bodies are read; undefined for rpcs without sign-in. */
  readonly authentication: Authentication | undefined;
  /** The message type. */
  readonly schema: DescMessage;
  /** True if the body contains a single message. */
  readonly isSingle: boolean;
  readonly isBase64: boolean;
  /** True for gRPC's envelopes; Connect sends unary messages bare. */
  readonly isEnveloped: boolean;
  readonly isJson: boolean;
  readonly compression: Compression | undefined;
  /** The announced `content-length`. */
  readonly length: string | null;
  /** Called before giving up on a body that doesn't arrive. */
  onTimeout(): void;
}

const ENVELOPE_HEADER = 5;
const COMPRESSED_FLAG = 1;

/**
 * Returns the body of a call for the protocol handlers: decoded, decompressed, and within all limits. If a limit is
 * exceeded, reading the body throws, so each handler responds in its own protocol.
 */
export function requestBody(
  request: NodeRequest,
  format: BodyFormat,
  timeouts: BodyTimeouts,
): AsyncIterable<Uint8Array> {
  const { maxBytes, isSingle, isBase64, isEnveloped, length, onTimeout } = format;
  const chunks = receive(request as IncomingMessage, timeouts, onTimeout);
  const bytes = isBase64 ? decodeText(chunks) : chunks;
  const authenticatedBytes =
    format.authentication === undefined ? bytes : requireAuthentication(bytes, format.authentication);
  const limitedBytes = isSingle
    ? limitBytes(maxBytes + (isEnveloped ? ENVELOPE_HEADER : 0), authenticatedBytes)
    : authenticatedBytes;
  if (!isEnveloped) return bareMessage(limitedBytes, format, length);
  return pipe(limitedBytes, transformSplitEnvelope(maxBytes), unpack(format), transformJoinEnvelopes());
}

interface Envelope {
  readonly flags: number;
  readonly data: Uint8Array;
}

const unpack = (format: BodyFormat) =>
  async function* (envelopes: AsyncIterable<Envelope>): AsyncGenerator<Envelope> {
    for await (const { flags, data } of envelopes) {
      const isCompressed = (flags & COMPRESSED_FLAG) !== 0;
      const message = isCompressed ? await decompress(data, format) : data;
      requireDecodable(message, format);
      yield { flags: flags & ~COMPRESSED_FLAG, data: message };
    }
  };

async function* bareMessage(
  chunks: AsyncIterable<Uint8Array>,
  format: BodyFormat,
  length: string | null,
): AsyncGenerator<Uint8Array> {
  const bytes = await readAllBytes(chunks, format.maxBytes, length);
  const message = format.compression === undefined ? bytes : await decompress(bytes, format);
  requireDecodable(message, format);
  yield message;
}

/** Accepts large bodies only from authenticated callers. */
async function* requireAuthentication(
  chunks: AsyncIterable<Uint8Array>,
  { freeBytes, verify }: Authentication,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    const before = bytes;
    bytes += chunk.byteLength;
    if (before <= freeBytes && bytes > freeBytes) await verify();
    yield chunk;
  }
}

async function decompress(
  bytes: Uint8Array,
  { compression, maxBytes, authentication }: BodyFormat,
): Promise<Uint8Array> {
  if (compression === undefined) {
    throw new ConnectError(
      'The message is marked as compressed, but no header specifies the compression.',
      Code.InvalidArgument,
    );
  }
  if (authentication === undefined) return decompressWithin(maxBytes, compression, bytes);
  try {
    return await decompressWithin(authentication.freeBytes, compression, bytes);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  await authentication.verify();
  return decompressWithin(maxBytes, compression, bytes);
}

async function decompressWithin(maxBytes: number, compression: Compression, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await compression.decompress(bytes, maxBytes);
  } catch (error) {
    if (isTooLarge(error)) throw error;
    throw new ConnectError(`The message isn't valid ${compression.name} data.`, Code.InvalidArgument);
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof ConnectError && error.code === Code.ResourceExhausted;

/**
 * Requires that a message can be decoded in a reasonable time, and that decoding it loses nothing.
 *
 * @throws ConnectError INVALID_ARGUMENT
 */
function requireDecodable(bytes: Uint8Array, { isJson, schema }: BodyFormat): void {
  const excess = isJson ? exceededLimit(bytes, { depth: MAX_JSON_DEPTH, parts: MAX_PARTS }) : undefined;
  if (excess === 'depth') {
    throw new ConnectError(`The request's JSON is nested deeper than ${MAX_JSON_DEPTH} levels.`, Code.InvalidArgument);
  }
  if (excess === 'parts' || (!isJson && hasMoreParts(MAX_PARTS, schema, bytes))) {
    throw new ConnectError(
      `The request contains more than ${MAX_PARTS} values. Send it in smaller requests.`,
      Code.InvalidArgument,
    );
  }
  const repeatedKey = isJson ? findRepeatedKey(bytes) : undefined;
  if (repeatedKey !== undefined) {
    throw new ConnectError(
      `An object in the request's JSON has the key "${shorten(repeatedKey)}" twice. Leave one of them out.`,
      Code.InvalidArgument,
    );
  }
}

async function* limitBytes(maxBytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new ConnectError(
        `The request is larger than ${maxBytes} bytes, the limit of this rpc.`,
        Code.ResourceExhausted,
      );
    }
    yield chunk;
  }
}

/** The maximum number of buffered bytes. Slows down a client that sends more. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/**
 * Yields the bytes of the body as they arrive. Combines all chunks that arrive in one turn of the event loop, because a
 * chunk costs much more than a byte, and a body can arrive in one-byte chunks. (Node runs promises between the chunks
 * of a segment.)
 */
export async function* receive(
  request: IncomingMessage,
  { idleMs, totalMs }: BodyTimeouts,
  onTimeout: () => void,
): AsyncGenerator<Uint8Array> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let isEnded = false;
  let failure: Error | undefined;
  let wakeUp: () => void = () => undefined;
  let turn: NodeJS.Immediate | undefined;
  const end = (error?: Error): void => {
    if (isEnded) return;
    isEnded = true;
    failure = error;
    wakeUp();
  };
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BUFFERED_BYTES) request.pause();
    turn ??= setImmediate(() => {
      turn = undefined;
      wakeUp();
    });
  };
  const onHangUp = (): void => end(new ConnectError('The caller hung up.', Code.Canceled));
  const giveUp = (reason: string) => () => {
    onTimeout();
    end(new ConnectError(reason, Code.DeadlineExceeded));
  };
  const idleTimer = setTimeout(giveUp(`No more of the request arrived for ${idleMs / 1000} seconds.`), idleMs);
  const totalTimer = setTimeout(giveUp(`The request didn't arrive within ${totalMs / 1000} seconds.`), totalMs);
  if (request.destroyed) onHangUp();
  request.on('data', onData);
  request
    .once('end', () => end())
    .once('close', onHangUp)
    .on('error', onHangUp);
  try {
    for (;;) {
      if (!isEnded && (bytes === 0 || turn !== undefined)) await new Promise<void>((resolve) => (wakeUp = resolve));
      if (failure !== undefined) throw failure;
      if (bytes === 0) return;
      const piece = Buffer.concat(chunks);
      chunks = [];
      bytes = 0;
      idleTimer.refresh();
      request.resume();
      yield piece;
    }
  } finally {
    clearTimeout(idleTimer);
    clearTimeout(totalTimer);
    // Discards the remaining bytes as they arrive.
    request.off('data', onData);
    request.resume();
  }
}

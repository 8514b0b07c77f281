import type { IncomingMessage } from 'node:http';
import type { DescMessage } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { compressionBrotli, compressionGzip } from '@connectrpc/connect-node';
import { pipe, readAllBytes, transformJoinEnvelopes, transformSplitEnvelope } from '@connectrpc/connect/protocol';
import { hasMoreParts, MAX_PARTS } from '#server/wire/requests/parts.ts';
import { decodedText } from './grpc-web-text.ts';
import { DEEPEST_JSON, excessOf } from './json-shape.ts';
import type { NodeRequest } from '#server/http/connection/node.ts';

/** How long a request may take to arrive. */
export interface BodyPatience {
  /** Without a byte. */
  readonly idleMs: number;
  /** All of it. */
  readonly totalMs: number;
}

/** A dead client is noticed soon; 4 MB still fit in through a slow uplink of 300 kbit/s. */
export const defaultPatience: BodyPatience = { idleMs: 30_000, totalMs: 120_000 };

export const compressions = [compressionGzip, compressionBrotli];
type Compression = (typeof compressions)[number];

export interface Proof {
  /** Bytes that are read without it, before and after decompression. */
  readonly above: number;
  /** Resolves when the caller is somebody. @throws ConnectError the refusal */
  given(): Promise<void>;
}

export interface BodyForm {
  /** Bytes of one message, before and after decompression. */
  readonly most: number;
  /** What the caller has to prove before much is read; undefined where nobody has to be somebody. */
  readonly proof: Proof | undefined;
  /** Of what the messages are. */
  readonly schema: DescMessage;
  /** One message, so that a second one need not be read. */
  readonly single: boolean;
  /** In base64. */
  readonly text: boolean;
  /** In gRPC's envelopes; Connect sends unary messages bare. */
  readonly enveloped: boolean;
  readonly json: boolean;
  readonly compression: Compression | undefined;
  /** The `content-length` that was announced. */
  readonly length: string | null;
  /** Called before it is given up because it does not arrive. */
  late(): void;
}

const ENVELOPE_HEADER = 5;
const COMPRESSED_FLAG = 1;

/**
 * The body of a call, decoded, decompressed and within all limits: what the protocol handlers get. What breaks a limit
 * is thrown while they read it, so that each answers in its own protocol.
 */
export function requestBody(request: NodeRequest, form: BodyForm, patience: BodyPatience): AsyncIterable<Uint8Array> {
  const { most, single, text, enveloped, length, late } = form;
  const arrived = arriving(request as IncomingMessage, patience, late);
  const bytes = text ? decodedText(arrived) : arrived;
  const proven = form.proof === undefined ? bytes : onceProven(bytes, form.proof);
  const bounded = single ? atMost(most + (enveloped ? ENVELOPE_HEADER : 0), proven) : proven;
  if (!enveloped) return bareMessage(bounded, form, length);
  return pipe(bounded, transformSplitEnvelope(most), unpacked(form), transformJoinEnvelopes());
}

interface Envelope {
  readonly flags: number;
  readonly data: Uint8Array;
}

const unpacked = (form: BodyForm) =>
  async function* (envelopes: AsyncIterable<Envelope>): AsyncGenerator<Envelope> {
    for await (const { flags, data } of envelopes) {
      const isCompressed = (flags & COMPRESSED_FLAG) !== 0;
      const plain = isCompressed ? await decompressed(data, form) : data;
      requireDecodable(plain, form);
      yield { flags: flags & ~COMPRESSED_FLAG, data: plain };
    }
  };

async function* bareMessage(
  chunks: AsyncIterable<Uint8Array>,
  form: BodyForm,
  length: string | null,
): AsyncGenerator<Uint8Array> {
  const bytes = await readAllBytes(chunks, form.most, length);
  const plain = form.compression === undefined ? bytes : await decompressed(bytes, form);
  requireDecodable(plain, form);
  yield plain;
}

/** Lets much in only from those who have proved to be somebody. */
async function* onceProven(chunks: AsyncIterable<Uint8Array>, { above, given }: Proof): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    const before = bytes;
    bytes += chunk.byteLength;
    if (before <= above && bytes > above) await given();
    yield chunk;
  }
}

async function decompressed(bytes: Uint8Array, { compression, most, proof }: BodyForm): Promise<Uint8Array> {
  if (compression === undefined) {
    throw new ConnectError('The message is marked as compressed, and no header says how.', Code.InvalidArgument);
  }
  if (proof === undefined) return within(most, compression, bytes);
  try {
    return await within(proof.above, compression, bytes);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  await proof.given();
  return within(most, compression, bytes);
}

async function within(most: number, compression: Compression, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await compression.decompress(bytes, most);
  } catch (error) {
    if (isTooLarge(error)) throw error;
    throw new ConnectError(`The message is not valid ${compression.name} data.`, Code.InvalidArgument);
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof ConnectError && error.code === Code.ResourceExhausted;

/** @throws ConnectError INVALID_ARGUMENT for what would take too long to decode */
function requireDecodable(bytes: Uint8Array, { json, schema }: BodyForm): void {
  const excess = json ? excessOf(bytes, { depth: DEEPEST_JSON, parts: MAX_PARTS }) : undefined;
  if (excess === 'depth') {
    throw new ConnectError(`The request's JSON is nested deeper than ${DEEPEST_JSON} levels.`, Code.InvalidArgument);
  }
  if (excess === 'parts' || (!json && hasMoreParts(MAX_PARTS, schema, bytes))) {
    throw new ConnectError(`The request holds more than ${MAX_PARTS} values: send it in parts.`, Code.InvalidArgument);
  }
}

async function* atMost(most: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > most) {
      throw new ConnectError(
        `The request is larger than ${most} bytes, the most this rpc takes.`,
        Code.ResourceExhausted,
      );
    }
    yield chunk;
  }
}

/** Bytes that may wait until they are read; a client that sends more is slowed down. */
const MAX_WAITING = 256 * 1024;

/**
 * What arrives, unless it stops arriving. All that comes in one turn of the event loop is handed over as one piece: a
 * body may come in chunks of a byte, and each piece costs many times what a byte does. (Node lets promises go on
 * between the chunks of a segment.)
 */
export async function* arriving(
  request: IncomingMessage,
  { idleMs, totalMs }: BodyPatience,
  onLate: () => void,
): AsyncGenerator<Uint8Array> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let over = false;
  let failure: Error | undefined;
  let wakeUp: () => void = () => undefined;
  let turn: NodeJS.Immediate | undefined;
  const end = (error?: Error): void => {
    if (over) return;
    over = true;
    failure = error;
    wakeUp();
  };
  const take = (chunk: Buffer): void => {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_WAITING) request.pause();
    turn ??= setImmediate(() => {
      turn = undefined;
      wakeUp();
    });
  };
  const hungUp = (): void => end(new ConnectError('The caller hung up.', Code.Canceled));
  const giveUp = (sentence: string) => () => {
    onLate();
    end(new ConnectError(sentence, Code.DeadlineExceeded));
  };
  const idle = setTimeout(giveUp(`Nothing more of the request arrived for ${idleMs / 1000} seconds.`), idleMs);
  const total = setTimeout(giveUp(`The request did not arrive within ${totalMs / 1000} seconds.`), totalMs);
  if (request.destroyed) hungUp();
  request.on('data', take);
  request
    .once('end', () => end())
    .once('close', hungUp)
    .on('error', hungUp);
  try {
    for (;;) {
      if (!over && (bytes === 0 || turn !== undefined)) await new Promise<void>((resolve) => (wakeUp = resolve));
      if (failure !== undefined) throw failure;
      if (bytes === 0) return;
      const piece = Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
      idle.refresh();
      request.resume();
      yield piece;
    }
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
    // From here on the rest is dropped as it comes.
    request.off('data', take);
    request.resume();
  }
}

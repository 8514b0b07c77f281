import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import type { UniversalServerRequest, UniversalServerResponse } from '@connectrpc/connect/protocol';
import { codeToHttpStatus } from '@connectrpc/connect/protocol-connect';

/**
 * The start of connect's message for malformed protobuf. Connect reports INTERNAL and offers no hook to change that.
 */
const MESSAGE_PREFIX = 'parse binary: ';
/** The prefix as gRPC and gRPC-web encode it. */
const encodedPrefix = encodeURIComponent(MESSAGE_PREFIX);

type Handle = (request: UniversalServerRequest) => Promise<UniversalServerResponse>;

const notUnicode = () =>
  new ConnectError("The request contains text that isn't well-formed Unicode.", Code.InvalidArgument);

/** Replaces a request's body, so each protocol formats the error itself. */
async function* failingBody(reason: ConnectError): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(reason);
}

/**
 * Makes every rpc of the router report a malformed binary message as INVALID_ARGUMENT because it's the caller's error.
 */
export function rejectMalformedAsInvalid(router: ConnectRouter): void {
  for (const [index, handler] of router.handlers.entries()) {
    const handleMalformed: Handle = async (request) => {
      try {
        return await correctIfMalformed(await handler(request));
      } catch (error) {
        // An error that quotes half a surrogate pair can't be percent-encoded, and would never be sent.
        if (!(error instanceof URIError)) throw error;
        return handler({ ...request, body: failingBody(notUnicode()) });
      }
    };
    router.handlers[index] = Object.assign(handleMalformed, handler);
  }
}

/** A malformed message is rejected before any response, so only the error needs correcting. */
async function correctIfMalformed(response: UniversalServerResponse): Promise<UniversalServerResponse> {
  const { status, trailer, body } = response;
  if (trailer?.get('grpc-message')?.startsWith(encodedPrefix)) {
    trailer.set('grpc-status', String(Code.InvalidArgument));
    return response;
  }
  if (status === codeToHttpStatus(Code.Internal) && body !== undefined) return correctConnectUnary(response, body);
  return body === undefined ? response : { ...response, body: correctFirstEnvelope(body) };
}

async function correctConnectUnary(
  response: UniversalServerResponse,
  body: AsyncIterable<Uint8Array>,
): Promise<UniversalServerResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const correctedText = correctJson(bytes.toString());
  if (correctedText === undefined) return { ...response, body: chunksOf(bytes) };
  const newBody = Buffer.from(correctedText);
  const header = new Headers(response.header);
  header.set('content-length', String(newBody.length));
  return { ...response, status: codeToHttpStatus(Code.InvalidArgument), header, body: chunksOf(newBody) };
}

/**
 * In gRPC-web and Connect streams, the last envelope contains the outcome. After a malformed message, it is the only
 * one.
 */
async function* correctFirstEnvelope(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of body) {
    yield isFirst ? correctEnvelope(chunk) : chunk;
    isFirst = false;
  }
}

const HEADER_BYTES = 5;
const GRPC_WEB_TRAILERS = 0x80;
const CONNECT_END_STREAM = 0x02;

function correctEnvelope(chunk: Uint8Array): Uint8Array {
  const flags = chunk[0];
  if (flags !== GRPC_WEB_TRAILERS && flags !== CONNECT_END_STREAM) return chunk;
  const text = Buffer.from(chunk.subarray(HEADER_BYTES)).toString();
  const correctedText = flags === CONNECT_END_STREAM ? correctJson(text) : correctTrailers(text);
  if (correctedText === undefined) return chunk;
  const data = Buffer.from(correctedText);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(flags);
  header.writeUInt32BE(data.length, 1);
  return Buffer.concat([header, data]);
}

const correctJson = (text: string): string | undefined =>
  text.includes(`"message":"${MESSAGE_PREFIX}`)
    ? text.replace('"code":"internal"', '"code":"invalid_argument"')
    : undefined;

const correctTrailers = (text: string): string | undefined =>
  text.includes(`grpc-message: ${encodedPrefix}`)
    ? text.replace(`grpc-status: ${Code.Internal}`, `grpc-status: ${Code.InvalidArgument}`)
    : undefined;

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import type { UniversalServerRequest, UniversalServerResponse } from '@connectrpc/connect/protocol';
import { codeToHttpStatus } from '@connectrpc/connect/protocol-connect';

/** The start of connect's message for malformed protobuf; connect reports INTERNAL, and offers no hook. */
const SENTENCE = 'parse binary: ';
/** As encoded in gRPC and gRPC-web. */
const encodedSentence = encodeURIComponent(SENTENCE);

type Handle = (request: UniversalServerRequest) => Promise<UniversalServerResponse>;

const notUnicode = () =>
  new ConnectError('The request contains text that is not well-formed Unicode.', Code.InvalidArgument);

/** Replaces a body to let each protocol format the refusal. */
async function* failingBody(refusal: ConnectError): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(refusal);
}

/** Makes every rpc of the router report a malformed binary message as INVALID_ARGUMENT, because the caller sent it. */
export function refuseMalformedAsInvalid(router: ConnectRouter): void {
  for (const [index, handler] of router.handlers.entries()) {
    const handleMalformed: Handle = async (request) => {
      try {
        return await invalidIfMalformed(await handler(request));
      } catch (error) {
        // A refusal that quotes half of a surrogate pair cannot be percent-encoded, and would never be sent.
        if (!(error instanceof URIError)) throw error;
        return handler({ ...request, body: failingBody(notUnicode()) });
      }
    };
    router.handlers[index] = Object.assign(handleMalformed, handler);
  }
}

/** A malformed message is refused before any response, so only the refusal needs correcting. */
async function invalidIfMalformed(response: UniversalServerResponse): Promise<UniversalServerResponse> {
  const { status, trailer, body } = response;
  if (trailer?.get('grpc-message')?.startsWith(encodedSentence)) {
    trailer.set('grpc-status', String(Code.InvalidArgument));
    return response;
  }
  if (status === codeToHttpStatus(Code.Internal) && body !== undefined) return connectUnary(response, body);
  return body === undefined ? response : { ...response, body: firstCorrected(body) };
}

async function connectUnary(
  response: UniversalServerResponse,
  body: AsyncIterable<Uint8Array>,
): Promise<UniversalServerResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const corrected = inJson(bytes.toString());
  if (corrected === undefined) return { ...response, body: chunksOf(bytes) };
  const changed = Buffer.from(corrected);
  const header = new Headers(response.header);
  header.set('content-length', String(changed.length));
  return { ...response, status: codeToHttpStatus(Code.InvalidArgument), header, body: chunksOf(changed) };
}

/** The last envelope of gRPC-web and of Connect's streams holds the outcome; here it is also the first. */
async function* firstCorrected(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of body) {
    yield first ? inEnvelope(chunk) : chunk;
    first = false;
  }
}

const HEADER_BYTES = 5;
const LAST_OF_GRPC_WEB = 0x80;
const LAST_OF_CONNECT = 0x02;

function inEnvelope(chunk: Uint8Array): Uint8Array {
  const flags = chunk[0];
  if (flags !== LAST_OF_GRPC_WEB && flags !== LAST_OF_CONNECT) return chunk;
  const text = Buffer.from(chunk.subarray(HEADER_BYTES)).toString();
  const corrected = flags === LAST_OF_CONNECT ? inJson(text) : inTrailers(text);
  if (corrected === undefined) return chunk;
  const data = Buffer.from(corrected);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(flags);
  header.writeUInt32BE(data.length, 1);
  return Buffer.concat([header, data]);
}

const inJson = (text: string): string | undefined =>
  text.includes(`"message":"${SENTENCE}`) ? text.replace('"code":"internal"', '"code":"invalid_argument"') : undefined;

const inTrailers = (text: string): string | undefined =>
  text.includes(`grpc-message: ${encodedSentence}`)
    ? text.replace(`grpc-status: ${Code.Internal}`, `grpc-status: ${Code.InvalidArgument}`)
    : undefined;

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

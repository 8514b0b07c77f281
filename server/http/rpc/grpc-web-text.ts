import { Code, ConnectError } from '@connectrpc/connect';

/** gRPC-web in base64, for clients that read a stream as text (PROTOCOL-WEB: `application/grpc-web-text`). */
const TEXT_TYPE = /^application\/grpc-web-text(?=\+|$|[;\s])/i;
const BINARY_TYPE = /^application\/grpc-web(?=\+|$|[;\s])/i;

export const isGrpcWebText = (contentType: string | undefined): boolean => TEXT_TYPE.test(contentType ?? '');

/** Returns the content type of the same body in binary. */
export const binaryTypeOf = (contentType: string): string => contentType.replace(/-text/i, '');

/**
 * True if a gRPC-web caller expects base64. If `accept` includes neither format, the response has the request's format.
 */
export function expectsGrpcWebText(contentType: string, accept: string | undefined): boolean {
  if (!/^application\/grpc-web/i.test(contentType)) return false;
  const acceptedTypes = (accept ?? '').split(',').map((part) => part.trim());
  if (acceptedTypes.some((value) => TEXT_TYPE.test(value))) return true;
  return isGrpcWebText(contentType) && !acceptedTypes.some((value) => BINARY_TYPE.test(value));
}

export const TEXT_CONTENT_TYPE = 'application/grpc-web-text+proto';

/**
 * Decodes base64 in arbitrary chunks. Padding can occur in the middle because clients encode each message separately.
 *
 * @throws ConnectError INVALID_ARGUMENT for invalid base64
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let partialText = '';
  for await (const chunk of chunks) {
    const text = partialText + Buffer.from(chunk).toString('latin1');
    const completeLength = text.length - (text.length % 4);
    partialText = text.slice(completeLength);
    if (completeLength > 0) yield decodeGroups(text.slice(0, completeLength));
  }
  if (partialText !== '') throw notBase64();
}

const GROUP = '(?:[A-Za-z0-9+/]{4})';
/** Matches a run of whole groups. Each run except the last one ends in a padded group. */
const runs = new RegExp(`${GROUP}*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)|${GROUP}+`, 'gy');

function decodeGroups(text: string): Uint8Array {
  const parts: Buffer[] = [];
  runs.lastIndex = 0;
  for (let end = 0; end < text.length; end = runs.lastIndex) {
    const run = runs.exec(text);
    if (run === null) throw notBase64();
    parts.push(Buffer.from(run[0], 'base64'));
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

const notBase64 = (): ConnectError =>
  new ConnectError("The body isn't base64, which application/grpc-web-text requires.", Code.InvalidArgument);

/** Encodes each chunk separately, with padding, so it can be decoded as soon as it arrives. */
export async function* encodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(Buffer.from(chunk).toString('base64'), 'latin1');
}

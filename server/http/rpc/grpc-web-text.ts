import { Code, ConnectError } from '@connectrpc/connect';

/** gRPC-web in base64, for clients that read a stream as text (PROTOCOL-WEB: `application/grpc-web-text`). */
const TEXT_TYPE = /^application\/grpc-web-text(?=\+|$|[;\s])/i;
const BINARY_TYPE = /^application\/grpc-web(?=\+|$|[;\s])/i;

export const isGrpcWebText = (contentType: string | undefined): boolean => TEXT_TYPE.test(contentType ?? '');

/** The content type of the same body in binary. */
export const inBinary = (contentType: string): string => contentType.replace(/-text/i, '');

/** Whether a gRPC-web caller wants base64: `accept` decides where it names either form, else the request's own form. */
export function wantsGrpcWebText(contentType: string, accept: string | undefined): boolean {
  if (!/^application\/grpc-web/i.test(contentType)) return false;
  const named = (accept ?? '').split(',').map((part) => part.trim());
  if (named.some((value) => TEXT_TYPE.test(value))) return true;
  return isGrpcWebText(contentType) && !named.some((value) => BINARY_TYPE.test(value));
}

export const TEXT_CONTENT_TYPE = 'application/grpc-web-text+proto';

/**
 * Decodes base64 whose chunks end anywhere. Padding may stand in the middle: clients encode each message by itself.
 *
 * @throws ConnectError INVALID_ARGUMENT when it is not base64
 */
export async function* decodedText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk).toString('latin1');
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    if (whole > 0) yield decodedGroups(text.slice(0, whole));
  }
  if (rest !== '') throw notBase64();
}

const GROUP = '(?:[A-Za-z0-9+/]{4})';
/** Runs of whole groups, each run but the last closed by a padded group. */
const runs = new RegExp(`${GROUP}*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)|${GROUP}+`, 'gy');

function decodedGroups(text: string): Uint8Array {
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
  new ConnectError('The body is not base64, as application/grpc-web-text has to be.', Code.InvalidArgument);

/** Encodes each chunk by itself, with padding, so that what the server sends at once arrives at once. */
export async function* encodedText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(Buffer.from(chunk).toString('base64'), 'latin1');
}

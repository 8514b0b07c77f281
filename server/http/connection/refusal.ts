import type { ServerResponse } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { codeToHttpStatus, errorToJson } from '@connectrpc/connect/protocol-connect';
import type { NodeRequest, NodeResponse } from './node.ts';

const GRPC_TYPE = /^application\/grpc(?:-web(?:-text)?)?(?:\+(?:proto|json))?(?=$|[;\s])/i;
const CONNECT_TYPE = /^application\/(?:connect\+)?(?:proto|json)(?=$|[;\s])/i;

/**
 * Answers a request before any rpc handler sees it, in the protocol its caller speaks: trailers-only for gRPC and
 * gRPC-web, JSON for Connect, a line of text for everything else.
 *
 * @param status for callers other than gRPC, which always gets 200
 */
export function refuse(
  request: NodeRequest,
  response: NodeResponse,
  error: ConnectError,
  status: number = codeToHttpStatus(error.code),
): void {
  const type = request.headers['content-type'] ?? '';
  const grpc = GRPC_TYPE.exec(type)?.[0];
  if (grpc !== undefined) {
    answer(response, 200, {
      'content-type': grpc,
      'grpc-status': String(error.code),
      'grpc-message': grpcMessage(error.rawMessage),
    });
  } else if (CONNECT_TYPE.test(type)) {
    answer(response, status, { 'content-type': 'application/json' }, JSON.stringify(errorToJson(error, undefined)));
  } else {
    answer(response, status, { 'content-type': 'text/plain; charset=utf-8' }, `${error.rawMessage}\n`);
  }
}

/**
 * Sends a complete answer. Over HTTP/2 an answer without a body ends with its HEADERS frame, as gRPC demands of a
 * trailers-only response; `writeHead` would send the frame first and the end of the stream after it.
 */
export function answer(
  response: NodeResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: string,
): void {
  // The objects of HTTP/1.1 and HTTP/2 have these members in common, which their union type does not show.
  const outgoing = response as ServerResponse;
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (body === undefined) outgoing.end();
  else outgoing.end(body);
}

/**
 * Characters of a sentence. gRPC sends it as a header, where one takes up to nine bytes, and its clients end a call
 * whose headers are longer than 8 KB (C core) or 64 KB (grpc-js) with an error of their own.
 */
const LONGEST_SENTENCE = 800;

/** Cuts a sentence that clients could not take. */
export function withinHeaders(sentence: string): string {
  if (sentence.length <= LONGEST_SENTENCE) return sentence;
  const end = `… (${sentence.length} characters)`;
  return sentence.slice(0, LONGEST_SENTENCE - end.length) + end;
}

/**
 * Percent-encodes a message for `grpc-message`: what is not printable ASCII, and the percent sign (gRPC over HTTP/2).
 * Encoding more, as `encodeURIComponent` does, shows: grpc-js leaves `%2F` and `%3A` as they are.
 */
export const grpcMessage = (text: string): string =>
  withinHeaders(text).replace(/[^ -$&-~]+/gu, (run) =>
    [...Buffer.from(run)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/** A request that is wrong before its body is looked at. */
export const badRequest = (sentence: string): ConnectError => new ConnectError(sentence, Code.InvalidArgument);

import type { ServerResponse } from 'node:http';

import { Code, ConnectError } from '@connectrpc/connect';
import { codeToHttpStatus, errorToJson } from '@connectrpc/connect/protocol-connect';

import type { NodeRequest, NodeResponse } from './node.ts';

const GRPC_TYPE = /^application\/grpc(?:-web(?:-text)?)?(?:\+(?:proto|json))?(?=$|[;\s])/i;
const CONNECT_TYPE = /^application\/(?:connect\+)?(?:proto|json)(?=$|[;\s])/i;

/**
 * Rejects a request in the caller's protocol, before any rpc handler runs. The response is trailers-only for gRPC and
 * gRPC-web, JSON for Connect, and a line of text for all other callers.
 *
 * @param status the HTTP status, except for gRPC, which always gets 200
 */
export function rejectRequest(
  request: NodeRequest,
  response: NodeResponse,
  error: ConnectError,
  status: number = codeToHttpStatus(error.code),
): void {
  const type = request.headers['content-type'] ?? '';
  const grpc = GRPC_TYPE.exec(type)?.[0];
  if (grpc !== undefined) {
    respond(response, 200, {
      'content-type': grpc,
      'grpc-status': String(error.code),
      'grpc-message': grpcMessage(error.rawMessage),
    });
  } else if (CONNECT_TYPE.test(type)) {
    respond(response, status, { 'content-type': 'application/json' }, JSON.stringify(errorToJson(error, undefined)));
  } else {
    respond(response, status, { 'content-type': 'text/plain; charset=utf-8' }, `${error.rawMessage}\n`);
  }
}

/**
 * Sends a complete response. Over HTTP/2, a response without a body ends with its HEADERS frame, as gRPC requires of a
 * trailers-only response; `writeHead` would send the frame first and the end of the stream after it.
 */
export function respond(
  response: NodeResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: string,
): void {
  // HTTP/1.1 and HTTP/2 objects share these members, but their union type doesn't show it.
  const outgoing = response as ServerResponse;
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (body === undefined) outgoing.end();
  else outgoing.end(body);
}

/**
 * The maximum length of a message in characters. gRPC sends it as a header, in which a character takes up to nine
 * bytes. Its clients fail a call with their own error if the headers exceed 8 KB (C core) or 64 KB (grpc-js).
 */
const MAX_MESSAGE_LENGTH = 800;

/** Truncates a message that is too long for clients. */
export function truncateForHeaders(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  const suffix = `… (${message.length} characters)`;
  return message.slice(0, MAX_MESSAGE_LENGTH - suffix.length) + suffix;
}

/**
 * Percent-encodes a message for `grpc-message` (gRPC over HTTP/2). Encodes the percent sign and everything except
 * printable ASCII. Encoding more, as `encodeURIComponent` does, would be visible, because grpc-js doesn't decode `%2F`
 * and `%3A`.
 */
export const grpcMessage = (text: string): string =>
  truncateForHeaders(text).replace(/[^ -$&-~]+/gu, (run) =>
    [...Buffer.from(run)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/** Returns the error for a request that is invalid regardless of its body. */
export const badRequest = (reason: string): ConnectError => new ConnectError(reason, Code.InvalidArgument);

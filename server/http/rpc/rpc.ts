import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';

import { type ConnectError, createConnectRouter, createContextValues } from '@connectrpc/connect';
import { universalRequestFromNodeRequest } from '@connectrpc/connect-node';
import type { UniversalServerRequest } from '@connectrpc/connect/protocol';

import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';
import { corsFor } from '#server/http/connection/cors.ts';
import { removeDistantDeadlines } from '#server/http/connection/deadlines.ts';
import type { NodeRequest, NodeResponse } from '#server/http/connection/node.ts';
import { respond, badRequest, rejectRequest } from '#server/http/connection/rejection.ts';
import { authenticate, readBearer, missingCredentials } from '#server/session/authenticate.ts';
import { openedKey } from '#server/wire/opened.ts';

import { binaryTypeOf, isGrpcWebText, expectsGrpcWebText } from './grpc-web-text.ts';
import { policyOf } from './policy-of.ts';
import { type BodyTimeouts, compressions, defaultTimeouts, requestBody } from './request-body.ts';
import { createRoutes, MAX_BYTES_UNAUTHENTICATED, MAX_BYTES_RECEIVED, routerOptions } from './routes.ts';
import { rpcResponse } from './rpc-response.ts';
import { isCall, unknownRpc } from './unknown-rpc.ts';

/** The HTTP status for an unknown rpc; Connect's clients read it as UNIMPLEMENTED. */
const NOT_FOUND = 404;

type Handler = ReturnType<typeof createConnectRouter>['handlers'][number];

interface Rpc {
  readonly handler: Handler;
  /** True if it requires no sign-in. */
  readonly isPublic: boolean;
}

export interface RpcOptions {
  /** Aborted when the server starts to shut down, which ends streams. */
  readonly shutdown: AbortSignal;
  readonly timeouts?: BodyTimeouts | undefined;
}

/**
 * Answers calls to every rpc in every protocol.
 *
 * @returns false for a path that isn't an rpc
 */
export type RpcHandler = (request: NodeRequest, response: NodeResponse, path: string) => boolean;

/**
 * Serves the routes as native gRPC, gRPC-web (binary and text), and Connect. Where possible, rejects invalid calls
 * before reading their body. Connect's protocol handlers process all other calls, with bodies that are within all
 * limits.
 */
export function rpcHandler(app: App, { shutdown, timeouts = defaultTimeouts }: RpcOptions): RpcHandler {
  const router = createConnectRouter({
    ...routerOptions(app),
    acceptCompression: compressions,
  });
  createRoutes(app, shutdown)(router);
  const rpcs = new Map<string, Rpc>();
  for (const handler of router.handlers) {
    rpcs.set(handler.requestPath, { handler, isPublic: policyOf(handler.method).audience === 'everyone' });
  }
  const cors = corsFor(app.config.corsOrigins);
  const streams = openStreams(shutdown);

  return (request, response, path) => {
    const rpc = rpcs.get(path);
    if (rpc === undefined && !isCall(path, request.headers['content-type'])) return false;
    closeWhenAnswered(request);
    if (cors(request, response)) return true;
    if (rpc === undefined) rejectRequest(request, response, unknownRpc(path), NOT_FOUND);
    else serve(app, rpc, streams, timeouts, request, response);
    return true;
  };
}

function serve(
  app: App,
  { handler, isPublic }: Rpc,
  streams: OpenStreams,
  timeouts: BodyTimeouts,
  request: NodeRequest,
  response: NodeResponse,
): void {
  const type = request.headers['content-type'] ?? '';
  const binaryType = binaryTypeOf(type);
  if (!handler.allowedMethods.includes(request.method ?? '')) {
    respond(response, 405, { allow: handler.allowedMethods.join(', ') });
    return;
  }
  if (!handler.supportedContentType(binaryType)) {
    respond(response, 415, { 'accept-post': ACCEPTED_TYPES });
    return;
  }
  const call = universalRequest(request, response);
  if (call === undefined) {
    rejectRequest(request, response, badRequest('The request has no valid host.'));
    return;
  }
  const { write, open: sendHeaders } = rpcResponse(response, expectsGrpcWebText(type, request.headers.accept));
  const contextValues = createContextValues().set(openedKey, sendHeaders);
  const limitedCall = {
    ...call,
    ...withBody(app, call, handler, isPublic, timeouts, request, response),
    ...(handler.method.methodKind === 'unary' ? {} : { signal: streams.signalOf(call.signal, response) }),
    contextValues,
  };
  handler(limitedCall)
    .then(write)
    .catch((error: unknown) => {
      // The caller has hung up or the response couldn't be written, so nobody can be notified.
      if (!call.signal.aborted)
        app.log.error("A response couldn't be sent.", { path: request.url, error: describeError(error) });
      (response as ServerResponse).destroy();
    });
}

interface OpenStreams {
  /** Returns a signal that aborts when the caller hangs up, and when the server starts to shut down. */
  signalOf(caller: AbortSignal, response: NodeResponse): AbortSignal;
}

/** Ends streams when the server shuts down because they never end on their own. Other calls can finish. */
function openStreams(shutdown: AbortSignal): OpenStreams {
  const openControllers = new Set<AbortController>();
  shutdown.addEventListener('abort', () => openControllers.forEach((controller) => controller.abort(shutdown.reason)));
  return {
    signalOf(caller, response) {
      const stream = new AbortController();
      openControllers.add(stream);
      (response as ServerResponse).once('close', () => openControllers.delete(stream));
      caller.addEventListener('abort', () => stream.abort(caller.reason));
      if (shutdown.aborted) stream.abort(shutdown.reason);
      return stream.signal;
    },
  };
}

const ACCEPTED_TYPES =
  'application/grpc, application/grpc-web, application/grpc-web-text, application/json, application/proto, application/connect+json, application/connect+proto';

/** Converts a request for connect. Returns undefined if its host is invalid, which connect doesn't support. */
function universalRequest(request: NodeRequest, response: NodeResponse): UniversalServerRequest | undefined {
  try {
    return universalRequestFromNodeRequest(request, response, undefined, undefined);
  } catch {
    return undefined;
  }
}

/** The header that specifies the compression of a request's body, keyed by protocol. */
const encodingHeader = {
  grpc: 'grpc-encoding',
  stream: 'connect-content-encoding',
  unary: 'content-encoding',
} as const;

/** Applies the limits to the body and removes the encoding from the headers. */
function withBody(
  app: App,
  call: UniversalServerRequest,
  { method }: Handler,
  isPublic: boolean,
  timeouts: BodyTimeouts,
  request: NodeRequest,
  response: NodeResponse,
): Pick<UniversalServerRequest, 'header' | 'body'> {
  const header = new Headers(call.header);
  const type = header.get('content-type') ?? '';
  header.set('content-type', binaryTypeOf(type));
  removeDistantDeadlines(header);
  if (!isPublic && readBearer(header) === undefined) return { header, body: failingBody(missingCredentials()) };
  const kind = /^application\/grpc/i.test(type) ? 'grpc' : /^application\/connect\+/i.test(type) ? 'stream' : 'unary';
  const encoding = header.get(encodingHeader[kind]) ?? 'identity';
  const compression = compressions.find(({ name }) => name === encoding);
  // An unknown encoding stays in the headers, so the protocol's handler lists the known ones.
  if (compression !== undefined) header.delete(encodingHeader[kind]);
  header.delete('content-length');
  const body = requestBody(
    request,
    {
      maxBytes: isPublic ? MAX_BYTES_UNAUTHENTICATED : MAX_BYTES_RECEIVED,
      authentication: isPublic
        ? undefined
        : { freeBytes: MAX_BYTES_UNAUTHENTICATED, verify: async () => void (await authenticate(app, header)) },
      schema: method.input,
      isSingle: method.methodKind === 'unary' || method.methodKind === 'server_streaming',
      isBase64: isGrpcWebText(type),
      isEnveloped: kind !== 'unary',
      isJson: /json/i.test(type),
      compression,
      length: call.header.get('content-length'),
      onTimeout: () => {
        // Over HTTP/1.1, the remaining bytes would be read as part of this request.
        if (!('stream' in request) && !response.headersSent)
          (response as ServerResponse).setHeader('connection', 'close');
      },
    },
    timeouts,
  );
  return { header, body };
}

/** Replaces a body, so the protocol's own handler formats the error. */
const failingBody = (error: ConnectError): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({
    async next() {
      throw error;
    },
  }),
});

/**
 * How long the rest of a request is read after the response. Clients that are reset while sending a request lose the
 * response.
 */
const LINGER_MS = 1000;

/**
 * Ends a request after its call is answered. Over HTTP/2, the rest is discarded for a moment, and then the stream is
 * reset without an error (RFC 9113, 8.1). Over HTTP/1.1, Node discards the rest.
 */
export function closeWhenAnswered(request: NodeRequest): void {
  if (!('stream' in request)) return;
  const { stream } = request;
  stream.once('finish', () => {
    if (stream.endAfterHeaders || request.complete) return;
    request.resume();
    const resetTimer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), LINGER_MS);
    stream.once('end', () => clearTimeout(resetTimer));
    stream.once('close', () => clearTimeout(resetTimer));
  });
}

import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { type ConnectError, createConnectRouter, createContextValues } from '@connectrpc/connect';
import { universalRequestFromNodeRequest } from '@connectrpc/connect-node';
import type { UniversalServerRequest } from '@connectrpc/connect/protocol';
import type { App } from '#server/app/app.ts';
import { loggable } from '#server/base/loggable.ts';
import { policyOf } from './policies.ts';
import { createRoutes, MAX_BYTES_FROM_ANYBODY, MAX_BYTES_RECEIVED, routerOptions } from './routes.ts';
import { authenticate, bearerOf, signInFirst } from '#server/session/authenticate.ts';
import { corsFor } from '#server/http/connection/cors.ts';
import { dropFarDeadline } from '#server/http/connection/deadlines.ts';
import { inBinary, isGrpcWebText, wantsGrpcWebText } from './grpc-web-text.ts';
import type { NodeRequest, NodeResponse } from '#server/http/connection/node.ts';
import { openedKey } from '#server/wire/opened.ts';
import { answer, badRequest, refuse } from '#server/http/connection/refusal.ts';
import { type BodyPatience, compressions, defaultPatience, requestBody } from './request-body.ts';
import { rpcResponse } from './rpc-response.ts';
import { isCall, unknownRpc } from './unknown-rpc.ts';

/** What HTTP calls an rpc that is not here; Connect's clients read it as UNIMPLEMENTED. */
const NOT_FOUND = 404;

type Handler = ReturnType<typeof createConnectRouter>['handlers'][number];

interface Rpc {
  readonly handler: Handler;
  /** Nobody has to be signed in for it. */
  readonly open: boolean;
}

export interface RpcOptions {
  /** Ends streams when the server begins to stop. */
  readonly shutdown: AbortSignal;
  readonly patience?: BodyPatience | undefined;
}

/** Answers calls of every rpc in every protocol. @returns false for a path that is no rpc's */
export type RpcHandler = (request: NodeRequest, response: NodeResponse, path: string) => boolean;

/**
 * Serves the routes as native gRPC, gRPC-web (binary and text) and Connect. What can be refused without reading a body
 * is refused first; the rest is up to connect's protocol handlers, which get bodies that keep every limit.
 */
export function rpcHandler(app: App, { shutdown, patience = defaultPatience }: RpcOptions): RpcHandler {
  const router = createConnectRouter({
    ...routerOptions(app),
    acceptCompression: compressions,
  });
  createRoutes(app, shutdown)(router);
  const rpcs = new Map<string, Rpc>();
  for (const handler of router.handlers) {
    rpcs.set(handler.requestPath, { handler, open: policyOf(handler.method).audience === 'everyone' });
  }
  const cors = corsFor(app.config.corsOrigins);
  const streams = openStreams(shutdown);

  return (request, response, path) => {
    const rpc = rpcs.get(path);
    if (rpc === undefined && !isCall(path, request.headers['content-type'])) return false;
    closeWhenAnswered(request);
    if (cors(request, response)) return true;
    if (rpc === undefined) refuse(request, response, unknownRpc(path), NOT_FOUND);
    else serve(app, rpc, streams, patience, request, response);
    return true;
  };
}

function serve(
  app: App,
  { handler, open }: Rpc,
  streams: OpenStreams,
  patience: BodyPatience,
  request: NodeRequest,
  response: NodeResponse,
): void {
  const type = request.headers['content-type'] ?? '';
  const binaryType = inBinary(type);
  if (!handler.allowedMethods.includes(request.method ?? '')) {
    answer(response, 405, { allow: handler.allowedMethods.join(', ') });
    return;
  }
  if (!handler.supportedContentType(binaryType)) {
    answer(response, 415, { 'accept-post': ACCEPTED_TYPES });
    return;
  }
  const call = universalRequest(request, response);
  if (call === undefined) {
    refuse(request, response, badRequest('The request names no valid host.'));
    return;
  }
  const { write, open: sendHeaders } = rpcResponse(response, wantsGrpcWebText(type, request.headers.accept));
  const contextValues = createContextValues().set(openedKey, sendHeaders);
  const prepared = {
    ...call,
    ...withBody(app, call, handler, open, patience, request, response),
    ...(handler.method.methodKind === 'unary' ? {} : { signal: streams.signalOf(call.signal, response) }),
    contextValues,
  };
  handler(prepared)
    .then(write)
    .catch((error: unknown) => {
      // The caller has gone, or the answer could not be written: nobody is left to tell.
      if (!call.signal.aborted) app.log.error('answer failed', { path: request.url, error: loggable(error) });
      (response as ServerResponse).destroy();
    });
}

interface OpenStreams {
  /** Aborted when the caller hangs up, and when the server begins to stop. */
  signalOf(caller: AbortSignal, response: NodeResponse): AbortSignal;
}

/** Streams would never end by themselves when the server stops; other calls are left to finish. */
function openStreams(shutdown: AbortSignal): OpenStreams {
  const open = new Set<AbortController>();
  shutdown.addEventListener('abort', () => open.forEach((controller) => controller.abort(shutdown.reason)));
  return {
    signalOf(caller, response) {
      const stream = new AbortController();
      open.add(stream);
      (response as ServerResponse).once('close', () => open.delete(stream));
      caller.addEventListener('abort', () => stream.abort(caller.reason));
      if (shutdown.aborted) stream.abort(shutdown.reason);
      return stream.signal;
    },
  };
}

const ACCEPTED_TYPES =
  'application/grpc, application/grpc-web, application/grpc-web-text, application/json, application/proto, application/connect+json, application/connect+proto';

/** @returns undefined when the request's host is none, which connect cannot take */
function universalRequest(request: NodeRequest, response: NodeResponse): UniversalServerRequest | undefined {
  try {
    return universalRequestFromNodeRequest(request, response, undefined, undefined);
  } catch {
    return undefined;
  }
}

/** Headers that say how a request's body is compressed, for each protocol. */
const encodingHeader = {
  grpc: 'grpc-encoding',
  stream: 'connect-content-encoding',
  unary: 'content-encoding',
} as const;

/** The body within its limits, and the headers that describe what is left of its encoding: nothing. */
function withBody(
  app: App,
  call: UniversalServerRequest,
  { method }: Handler,
  open: boolean,
  patience: BodyPatience,
  request: NodeRequest,
  response: NodeResponse,
): Pick<UniversalServerRequest, 'header' | 'body'> {
  const header = new Headers(call.header);
  const type = header.get('content-type') ?? '';
  header.set('content-type', inBinary(type));
  dropFarDeadline(header);
  if (!open && bearerOf(header) === undefined) return { header, body: failing(signInFirst()) };
  const kind = /^application\/grpc/i.test(type) ? 'grpc' : /^application\/connect\+/i.test(type) ? 'stream' : 'unary';
  const encoding = header.get(encodingHeader[kind]) ?? 'identity';
  const compression = compressions.find(({ name }) => name === encoding);
  // An encoding that we do not know stays named, and the protocol's handler says which we do.
  if (compression !== undefined) header.delete(encodingHeader[kind]);
  header.delete('content-length');
  const body = requestBody(
    request,
    {
      most: open ? MAX_BYTES_FROM_ANYBODY : MAX_BYTES_RECEIVED,
      proof: open
        ? undefined
        : { above: MAX_BYTES_FROM_ANYBODY, given: async () => void (await authenticate(app, header)) },
      schema: method.input,
      single: method.methodKind === 'unary' || method.methodKind === 'server_streaming',
      text: isGrpcWebText(type),
      enveloped: kind !== 'unary',
      json: /json/i.test(type),
      compression,
      length: call.header.get('content-length'),
      late: () => {
        // Over HTTP/1.1 what is still to come would be taken for the rest of this request.
        if (!('stream' in request) && !response.headersSent)
          (response as ServerResponse).setHeader('connection', 'close');
      },
    },
    patience,
  );
  return { header, body };
}

/** Read in place of a body, so that the protocol's own handler words the refusal. */
const failing = (error: ConnectError): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({
    async next() {
      throw error;
    },
  }),
});

/**
 * How long the rest of a request is taken in after its answer: clients that are reset while they send lose the
 * answer.
 */
const LINGER_MS = 1_000;

/**
 * Once a call is answered, the rest of its request is of no use: over HTTP/2 it is dropped for a moment, and then the
 * stream is reset without an error (RFC 9113, 8.1); over HTTP/1.1 Node drops it.
 */
function closeWhenAnswered(request: NodeRequest): void {
  if (!('stream' in request)) return;
  const { stream } = request;
  stream.once('finish', () => {
    if (stream.endAfterHeaders || request.complete) return;
    request.resume();
    const cut = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), LINGER_MS);
    stream.once('end', () => clearTimeout(cut));
    stream.once('close', () => clearTimeout(cut));
  });
}

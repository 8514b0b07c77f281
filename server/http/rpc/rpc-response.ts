import type { ServerResponse } from 'node:http';

import type { UniversalServerResponse } from '@connectrpc/connect/protocol';

import type { NodeResponse } from '#server/http/connection/node.ts';
import { grpcMessage } from '#server/http/connection/rejection.ts';

import { encodeText, TEXT_CONTENT_TYPE } from './grpc-web-text.ts';

export interface RpcResponse {
  /** Sends the headers ahead of the first message. */
  open(headers: Headers): void;
  /**
   * Sends the whole response.
   *
   * @throws if the caller hangs up before its end
   */
  write(response: UniversalServerResponse): Promise<void>;
}

/**
 * Creates the response to a gRPC-web call.
 *
 * @param isBase64 true to send base64
 */
export function rpcResponse(response: NodeResponse, isBase64: boolean): RpcResponse {
  // HTTP/1.1 and HTTP/2 objects share these members, but their union type doesn't show it.
  const outgoing = response as ServerResponse;
  // `write` reports failures. A connection that fails before `write` is called mustn't end the process.
  outgoing.on('error', () => undefined);

  function setHead(status: number, headers?: Headers): void {
    outgoing.statusCode = status;
    headers?.forEach((value, name) => void outgoing.setHeader(name, value));
    if (isBase64 && status === 200) outgoing.setHeader('content-type', TEXT_CONTENT_TYPE);
  }

  function open(headers: Headers): void {
    if (outgoing.headersSent || outgoing.destroyed) return;
    setHead(200, headers);
    outgoing.flushHeaders();
  }

  async function write({ status, header, body, trailer }: UniversalServerResponse): Promise<void> {
    if (body !== undefined) {
      for await (const chunk of isBase64 ? encodeText(body) : body) {
        // A service can add headers until it sends its first message.
        if (!outgoing.headersSent) setHead(status, header);
        await send(outgoing, chunk);
      }
    }
    const message = trailer?.get('grpc-message');
    if (message != null) trailer?.set('grpc-message', grpcMessage(decodeURIComponent(message)));
    if (!outgoing.headersSent) {
      setHead(status, header);
      // A response without a message is trailers-only (gRPC over HTTP/2): one HEADERS frame that ends the stream.
      trailer?.forEach((value, name) => void outgoing.setHeader(name, value));
    } else if (trailer !== undefined) outgoing.addTrailers(Object.fromEntries(trailer));
    outgoing.end();
  }

  return { open, write };
}

/** How long a slow caller may take, on top of its response's duration at the lowest allowed rate. */
const TIMEOUT_MS = 30_000;
/** 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;

/**
 * Writes a chunk and waits until the caller accepts more. Disconnects a caller that is too slow because its response
 * stays in memory.
 */
function send(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed || response.closed || response.writableEnded) {
      return reject(new Error('The caller hung up.'));
    }
    if (response.write(chunk)) return resolve();
    const onClose = (): void => settle(new Error('The caller hung up.'));
    const onDrain = (): void => settle();
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      response.off('close', onClose);
      response.off('drain', onDrain);
      if (error) reject(error);
      else resolve();
    };
    const timer = setTimeout(() => response.destroy(), TIMEOUT_MS + chunk.length / SLOWEST_BYTES_PER_MS);
    response.once('close', onClose);
    response.once('drain', onDrain);
    return undefined;
  });
}

import type { ServerResponse } from 'node:http';
import type { UniversalServerResponse } from '@connectrpc/connect/protocol';
import { encodedText, TEXT_CONTENT_TYPE } from './grpc-web-text.ts';
import type { NodeResponse } from '#server/http/connection/node.ts';
import { grpcMessage } from '#server/http/connection/refusal.ts';

export interface RpcResponse {
  /** Sends the headers ahead of the first message. */
  open(headers: Headers): void;
  /** Sends the whole response. @throws when the caller hangs up before its end */
  write(response: UniversalServerResponse): Promise<void>;
}

/** @param text sends gRPC-web in base64 */
export function rpcResponse(to: NodeResponse, text: boolean): RpcResponse {
  // The objects of HTTP/1.1 and HTTP/2 have these members in common, which their union type does not show.
  const outgoing = to as ServerResponse;
  // What breaks is told by `write`; a connection that fails before it is read must not end the process.
  outgoing.on('error', () => undefined);

  function setHead(status: number, headers?: Headers): void {
    outgoing.statusCode = status;
    headers?.forEach((value, name) => void outgoing.setHeader(name, value));
    if (text && status === 200) outgoing.setHeader('content-type', TEXT_CONTENT_TYPE);
  }

  function open(headers: Headers): void {
    if (outgoing.headersSent || outgoing.destroyed) return;
    setHead(200, headers);
    outgoing.flushHeaders();
  }

  async function write({ status, header, body, trailer }: UniversalServerResponse): Promise<void> {
    if (body !== undefined) {
      for await (const chunk of text ? encodedText(body) : body) {
        // What a service adds to the headers is known with the first message, and not before.
        if (!outgoing.headersSent) setHead(status, header);
        await send(outgoing, chunk);
      }
    }
    const message = trailer?.get('grpc-message');
    if (message != null) trailer?.set('grpc-message', grpcMessage(decodeURIComponent(message)));
    if (!outgoing.headersSent) {
      setHead(status, header);
      // Without a message this is trailers-only (gRPC over HTTP/2): one HEADERS frame that ends the stream.
      trailer?.forEach((value, name) => void outgoing.setHeader(name, value));
    } else if (trailer !== undefined) outgoing.addTrailers(Object.fromEntries(trailer));
    outgoing.end();
  }

  return { open, write };
}

/** A caller that reads slowly has this long, and as long again as its answer takes at 256 kbit/s. */
const PATIENCE_MS = 30_000;
const SLOWEST_BYTES_PER_MS = 32;

/** Writes and waits until the caller takes more. One that takes too little is cut: its answer is kept in memory. */
function send(to: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (to.destroyed || to.closed || to.writableEnded) return reject(new Error('The caller hung up.'));
    if (to.write(chunk)) return resolve();
    const gone = (): void => done(new Error('The caller hung up.'));
    const drained = (): void => done();
    const done = (error?: Error): void => {
      clearTimeout(late);
      to.off('close', gone);
      to.off('drain', drained);
      if (error) reject(error);
      else resolve();
    };
    const late = setTimeout(() => to.destroy(), PATIENCE_MS + chunk.length / SLOWEST_BYTES_PER_MS);
    to.once('close', gone);
    to.once('drain', drained);
    return undefined;
  });
}

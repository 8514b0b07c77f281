import { createServer as createHttp1, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { type ConnectionLimits, defaultLimits } from './connection-limits.ts';
import { readFirstBytes, speaksHttp2 } from './first-bytes.ts';
import { createHttp2Sessions } from './http2-sessions.ts';
import type { NodeHandlerFn } from './node.ts';
import { refuseConnection } from './refuse-connection.ts';

/** The time that running calls have to finish when the server stops. */
const DRAIN_MS = 3000;

export interface Listener {
  /** The TCP port. */
  readonly port: number;
  /** Accepts no more connections, gives running calls a few seconds to finish, and ends the rest. */
  close(): Promise<void>;
}

/** Thrown if the server can't listen on the address. `code` is Node's error code, such as EADDRINUSE or EACCES. */
export class ListenError extends Error {
  override name = 'ListenError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Serves HTTP/1.1 (browsers: console, gRPC-web, Connect) and cleartext HTTP/2 (native gRPC) on one port. The first
 * bytes of a connection decide between the two.
 *
 * @param port 0 lets the system choose
 * @throws ListenError if the port is taken or forbidden
 */
export async function listen(
  handler: NodeHandlerFn,
  host: string,
  port: number,
  limits: ConnectionLimits = defaultLimits,
): Promise<Listener> {
  const http1 = createHttp1(
    {
      keepAliveTimeout: limits.idleMs,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.sweepMs,
      maxHeaderSize: limits.headerBytes,
    },
    limitInProgress(limits.pipelined, handler),
  );
  // This server gets its connections from us and never listens itself. On this event, Node starts the checks that end
  // slow connections and track idle ones.
  http1.emit('listening');
  http1.on('request', ({ socket }, response) => {
    // Node fires this after a period without progress; a response that has nothing to send yet stays open.
    response.setTimeout(limits.stalledMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });
  const http2 = createHttp2Sessions(handler, limits);
  const sockets = new Set<Socket>();
  /** Connections whose first bytes haven't arrived yet, so their protocol is unknown. */
  const undecidedSockets = new Set<Socket>();
  // Set as in Node's own HTTP server. Otherwise, the last part of a large response would wait 40 ms for the client to
  // acknowledge the previous parts.
  const net = createServer({ noDelay: true }, (socket) => {
    // A broken connection is the client's problem. The protocol's handler adds its own listener later.
    socket.on('error', () => socket.destroy());
    const isFull = sockets.size >= limits.connections;
    sockets.add(socket);
    undecidedSockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      undecidedSockets.delete(socket);
    });
    if (sockets.size > limits.connections + limits.refusals) return void socket.destroy();
    return readFirstBytes(socket, limits.firstBytesMs, (firstBytes) => {
      undecidedSockets.delete(socket);
      if (isFull) refuseConnection(socket, speaksHttp2(firstBytes));
      else if (speaksHttp2(firstBytes)) http2.serve(socket);
      else http1.emit('connection', socket);
    });
  });
  await startListening(net, host, port);
  return {
    port: (net.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => net.close(() => resolve()));
      for (const socket of undecidedSockets) socket.destroy();
      http2.close();
      // End idle connections and stop the checks. The other connections end after their last response.
      http1.close();
      const sweep = setInterval(() => http1.closeIdleConnections(), 50);
      const force = setTimeout(() => sockets.forEach((socket) => socket.destroy()), DRAIN_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

/**
 * Ends HTTP/1.1 connections that keep sending without waiting for responses. Node starts all requests that have arrived
 * on a connection, without a limit, before turning to another connection.
 */
function limitInProgress(max: number, handler: NodeHandlerFn): RequestListener {
  const inProgress = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const pending = (inProgress.get(socket) ?? 0) + 1;
    if (socket.destroyed || pending > max) return void socket.destroy();
    inProgress.set(socket, pending);
    response.once('close', () => inProgress.set(socket, (inProgress.get(socket) ?? 1) - 1));
    return handler(request, response);
  };
}

function startListening(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(error.code ?? 'UNKNOWN', describeReason(error, host, port)));
    });
    server.listen(port, host, resolve);
  });
}

function describeReason(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') return `Another program uses port ${port}. Choose another with --port.`;
  if (error.code === 'EACCES') return `This account may not use port ${port}. Choose one above 1023 with --port.`;
  return `Can't listen on ${host}:${port}: ${error.message}.`;
}

import { createServer as createHttp1, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type ConnectionLimits, defaultLimits } from './connection-limits.ts';
import { readFirstBytes, speaksHttp2 } from './first-bytes.ts';
import { createHttp2Sessions } from './http2-sessions.ts';
import type { NodeHandlerFn } from './node.ts';
import { refuseConnection } from './refuse-connection.ts';

/** How long calls in progress get to finish when the server stops. */
const DRAIN_MS = 3_000;

export interface Listener {
  /** TCP port that is listened on. */
  readonly port: number;
  /** Takes no more connections, lets calls in progress finish for a while, and ends what is left. */
  close(): Promise<void>;
}

/** The address cannot be listened on. `code` is Node's: EADDRINUSE, EACCES, EADDRNOTAVAIL. */
export class CannotListen extends Error {
  override name = 'CannotListen';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Serves HTTP/1.1 (browsers: console, gRPC-web, Connect) and cleartext HTTP/2 (native gRPC) on one port. Which of the
 * two a connection speaks is told by its first bytes.
 *
 * @param port 0 lets the system choose
 * @throws CannotListen when the port is taken or forbidden
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
    atMostInProgress(limits.pipelined, handler),
  );
  // It gets its connections from us and never listens itself, which is when Node would begin to watch them: to end
  // those that dawdle, and to know which are idle.
  http1.emit('listening');
  http1.on('request', ({ socket }, response) => {
    // Node asks only after so long without progress; an answer that has nothing to say yet goes on.
    response.setTimeout(limits.stalledMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });
  const http2 = createHttp2Sessions(handler, limits);
  const sockets = new Set<Socket>();
  /** Connected, and not yet known to speak either protocol. */
  const undecided = new Set<Socket>();
  // As Node's own HTTP server does: otherwise the end of a large answer waits 40 ms for the client to acknowledge the
  // rest.
  const net = createServer({ noDelay: true }, (socket) => {
    // A connection that breaks is the client's business; whoever handles it later adds its own listener.
    socket.on('error', () => socket.destroy());
    const full = sockets.size >= limits.connections;
    sockets.add(socket);
    undecided.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      undecided.delete(socket);
    });
    if (sockets.size > limits.connections + limits.refusals) return void socket.destroy();
    return readFirstBytes(socket, limits.firstBytesMs, (first) => {
      undecided.delete(socket);
      if (full) refuseConnection(socket, speaksHttp2(first));
      else if (speaksHttp2(first)) http2.serve(socket);
      else http1.emit('connection', socket);
    });
  });
  await listening(net, host, port);
  return {
    port: (net.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => net.close(() => resolve()));
      for (const socket of undecided) socket.destroy();
      http2.close();
      // Ends the idle ones, and the watching; the others as soon as their last answer is out.
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
 * Ends connections over HTTP/1.1 that send on without waiting for answers. Node begins all requests that have arrived,
 * however many, before it looks at another connection.
 */
function atMostInProgress(most: number, handler: NodeHandlerFn): RequestListener {
  const inProgress = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const now = (inProgress.get(socket) ?? 0) + 1;
    if (socket.destroyed || now > most) return void socket.destroy();
    inProgress.set(socket, now);
    response.once('close', () => inProgress.set(socket, (inProgress.get(socket) ?? 1) - 1));
    return handler(request, response);
  };
}

function listening(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new CannotListen(error.code ?? 'UNKNOWN', reasonOf(error, host, port)));
    });
    server.listen(port, host, resolve);
  });
}

function reasonOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is taken by another program: choose another with --port.`;
  if (error.code === 'EACCES')
    return `Port ${port} may not be used by this account: choose one above 1023 with --port.`;
  return `Cannot listen on ${host}:${port}: ${error.message}.`;
}

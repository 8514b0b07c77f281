import { createServer as createHttp1, type RequestListener } from 'node:http';
import { createServer as createHttp2, type ServerHttp2Session } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { NodeHandlerFn } from './node.ts';

/** A client without TLS that speaks HTTP/2 from the start opens with `PRI * HTTP/2.0` (RFC 9113, 3.4). */
const http2Preface = Buffer.from('PRI ');
/** Long enough for any client's first bytes, short enough that silent connections do not pile up. */
const firstBytesTimeoutMs = 10_000;
/** Longer than clients keep a connection for reuse: the side that closes first must not be the one that is called. */
const keepAliveMs = 75_000;
/** How long calls in progress get to finish when the server stops. */
const drainMs = 3_000;

export interface Listener {
  /** TCP port that is listened on. */
  port: number;
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
export async function listen(handler: NodeHandlerFn, host: string, port: number): Promise<Listener> {
  const http1 = createHttp1({ keepAliveTimeout: keepAliveMs }, handler as RequestListener);
  // It gets its connections from us and never listens itself, which is when Node would begin to watch them: to end
  // those that dawdle over their headers, and to know which are idle.
  http1.emit('listening');
  const http2 = createHttp2(handler);
  const sockets = new Set<Socket>();
  /** Connected, and silent so far. */
  const undecided = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  // As Node's own HTTP server does: otherwise the end of a large answer waits 40 ms for the client to acknowledge the rest.
  const net = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A connection that breaks is the client's business; whoever handles it later adds its own listener.
    socket.on('error', () => socket.destroy());
    undecided.add(socket);
    socket.once('close', () => undecided.delete(socket));
    withFirstBytes(socket, (first) => {
      undecided.delete(socket);
      const speaks = first.equals(http2Preface.subarray(0, first.length)) ? http2 : http1;
      speaks.emit('connection', socket);
    });
  });
  await listening(net, host, port);
  return {
    port: (net.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => net.close(() => resolve()));
      for (const socket of undecided) socket.destroy();
      for (const session of sessions) session.close();
      // Ends the idle ones, and the watching; the others as soon as their last answer is out.
      http1.close();
      const sweep = setInterval(() => http1.closeIdleConnections(), 50);
      const force = setTimeout(() => sockets.forEach((socket) => socket.destroy()), drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

/** Looks at the first bytes and puts them back, so that whoever handles the connection reads them again. */
function withFirstBytes(socket: Socket, then: (first: Buffer) => void): void {
  socket.setTimeout(firstBytesTimeoutMs, () => socket.destroy());
  const look = (): void => {
    const bytes = socket.read() as Buffer | null;
    if (bytes === null) {
      socket.once('readable', look);
      return;
    }
    socket.setTimeout(0);
    socket.removeAllListeners('timeout');
    socket.unshift(bytes);
    then(bytes.subarray(0, http2Preface.length));
  };
  socket.once('readable', look);
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

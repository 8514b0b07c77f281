import { constants, createServer, type ServerHttp2Session, type ServerOptions } from 'node:http2';
import type { Socket } from 'node:net';

import type { ConnectionLimits } from './connection-limits.ts';
import type { NodeHandlerFn } from './node.ts';

/** The time that a client has after GOAWAY to close the connection itself. */
const LINGER_MS = 1000;

export interface Http2Sessions {
  /** Serves a connection that uses HTTP/2. */
  serve(socket: Socket): void;
  /** Lets open streams finish and accepts no new ones. */
  close(): void;
}

/** Options that Node has supported since 20.6, but that are missing from its types. */
interface ResetLimits {
  readonly streamResetBurst: number;
  readonly streamResetRate: number;
}

/** Serves HTTP/2 connections within the limits. Ends connections that are idle or that flood the server. */
export function createHttp2Sessions(handler: NodeHandlerFn, limits: ConnectionLimits): Http2Sessions {
  const options: ServerOptions & ResetLimits = {
    settings: { maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.headerBytes },
    // In megabytes, for queued frames and streams.
    maxSessionMemory: 10,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    // Limit streams that a client opens and immediately resets ("rapid reset"). Above this rate, its connection ends.
    streamResetBurst: 200,
    streamResetRate: 33,
  };
  const http2 = createServer(options, handler);
  const sessions = new Set<ServerHttp2Session>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    endWhenIdle(session, limits);
  });
  http2.on('stream', (stream) => {
    // The whole request must arrive in time.
    const requestTimer = setTimeout(() => {
      if (!stream.endAfterHeaders && !stream.readableEnded) stream.close(constants.NGHTTP2_CANCEL);
    }, limits.requestMs);
    // Node fires this after a period without progress; a stream that has nothing to send yet stays open.
    stream.setTimeout(limits.stalledMs, () => {
      if (stream.writableLength > 0 || stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.once('end', () => clearTimeout(requestTimer));
    stream.once('close', () => clearTimeout(requestTimer));
  });
  return {
    serve: (socket) => void http2.emit('connection', socket),
    close: () => sessions.forEach((session) => session.close()),
  };
}

/**
 * Ends a connection that has no open streams. A connection that never had a stream ends sooner. Even an idle stream
 * keeps its connection open, but pings do not.
 */
function endWhenIdle(session: ServerHttp2Session, { firstBytesMs, idleMs }: ConnectionLimits): void {
  const { socket } = session;
  let destroyTimer: NodeJS.Timeout | undefined;
  const end = (): void => {
    session.close();
    destroyTimer = setTimeout(() => session.destroy(), LINGER_MS);
  };
  let streams = 0;
  let idleTimer = setTimeout(end, firstBytesMs);
  session.on('stream', (stream) => {
    streams += 1;
    clearTimeout(idleTimer);
    stream.once('close', () => {
      streams -= 1;
      if (streams > 0 || session.closed) return;
      clearTimeout(idleTimer);
      idleTimer = setTimeout(end, idleMs);
    });
  });
  session.once('close', () => clearTimeout(idleTimer));
  socket.once('close', () => clearTimeout(destroyTimer));
}

import { constants, createServer, type ServerHttp2Session, type ServerOptions } from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.ts';
import type { NodeHandlerFn } from './node.ts';

/** After GOAWAY the client has this long to close the connection itself. */
const LINGER_MS = 1_000;

export interface Http2Sessions {
  /** Takes over a connection that has begun to speak HTTP/2. */
  serve(socket: Socket): void;
  /** Lets streams in progress finish and opens no others. */
  close(): void;
}

/** Node knows both options since 20.6, its types do not. */
interface ResetLimits {
  readonly streamResetBurst: number;
  readonly streamResetRate: number;
}

/** Serves HTTP/2 connections within limits: those that ask for nothing end, as do those that flood. */
export function createHttp2Sessions(handler: NodeHandlerFn, limits: ConnectionLimits): Http2Sessions {
  const options: ServerOptions & ResetLimits = {
    settings: { maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.headerBytes },
    // In megabytes: frames that wait to be written, and streams.
    maxSessionMemory: 10,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    // Streams that a client opens and resets at once ("rapid reset"), beyond which its connection ends.
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
    // Whatever a request is for, it arrives in time.
    const late = setTimeout(() => {
      if (!stream.endAfterHeaders && !stream.readableEnded) stream.close(constants.NGHTTP2_CANCEL);
    }, limits.requestMs);
    // Node asks only after so long without progress; a stream that has nothing to say yet goes on.
    stream.setTimeout(limits.stalledMs, () => {
      if (stream.writableLength > 0 || stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.once('end', () => clearTimeout(late));
    stream.once('close', () => clearTimeout(late));
  });
  return {
    serve: (socket) => void http2.emit('connection', socket),
    close: () => sessions.forEach((session) => session.close()),
  };
}

/**
 * Ends a connection on which no stream is open: soon when there never was one, else after a while. A stream that is
 * open, however quiet, keeps its connection; pings do not.
 */
function endWhenIdle(session: ServerHttp2Session, { firstBytesMs, idleMs }: ConnectionLimits): void {
  const { socket } = session;
  let cut: NodeJS.Timeout | undefined;
  const end = (): void => {
    session.close();
    cut = setTimeout(() => session.destroy(), LINGER_MS);
  };
  let streams = 0;
  let idle = setTimeout(end, firstBytesMs);
  session.on('stream', (stream) => {
    streams += 1;
    clearTimeout(idle);
    stream.once('close', () => {
      streams -= 1;
      if (streams > 0 || session.closed) return;
      clearTimeout(idle);
      idle = setTimeout(end, idleMs);
    });
  });
  session.once('close', () => clearTimeout(idle));
  socket.once('close', () => clearTimeout(cut));
}

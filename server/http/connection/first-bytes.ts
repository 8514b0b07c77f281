import type { Socket } from 'node:net';

/** A client without TLS that speaks HTTP/2 from the start opens with `PRI * HTTP/2.0` (RFC 9113, 3.4). */
const http2Preface = Buffer.from('PRI ');

/** @param first as `readFirstBytes` found them */
export const speaksHttp2 = (first: Buffer): boolean => first.equals(http2Preface);

/**
 * Waits for as many bytes as it takes to tell the protocols apart, however they are cut into segments, and puts them
 * back, so that whoever handles the connection reads them again. Without them in time the connection ends.
 */
export function readFirstBytes(socket: Socket, timeoutMs: number, then: (first: Buffer) => void): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once('close', () => clearTimeout(timer));
  let bytes = Buffer.alloc(0);
  const look = (): void => {
    const more = socket.read() as Buffer | null;
    if (more !== null) bytes = Buffer.concat([bytes, more]);
    const first = bytes.subarray(0, http2Preface.length);
    const open = first.length < http2Preface.length && first.equals(http2Preface.subarray(0, first.length));
    if (open) {
      socket.once('readable', look);
      return;
    }
    clearTimeout(timer);
    socket.unshift(bytes);
    then(first);
  };
  socket.once('readable', look);
}

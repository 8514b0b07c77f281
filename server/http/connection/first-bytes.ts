import type { Socket } from 'node:net';

/** The first bytes from a client that uses HTTP/2 without TLS, `PRI * HTTP/2.0` (RFC 9113, 3.4). */
const http2Preface = Buffer.from('PRI ');

/**
 * True if a connection starts with HTTP/2's preface.
 *
 * @param firstBytes as returned by `readFirstBytes`
 */
export const speaksHttp2 = (firstBytes: Buffer): boolean => firstBytes.equals(http2Preface);

/**
 * Waits for enough bytes to distinguish the protocols, in any number of segments, and puts them back for the
 * connection's handler. Ends the connection if they don't arrive in time.
 */
export function readFirstBytes(socket: Socket, timeoutMs: number, onFirstBytes: (firstBytes: Buffer) => void): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once('close', () => clearTimeout(timer));
  let bytes = Buffer.alloc(0);
  const inspect = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk !== null) bytes = Buffer.concat([bytes, chunk]);
    const firstBytes = bytes.subarray(0, http2Preface.length);
    const isUndecided =
      firstBytes.length < http2Preface.length && firstBytes.equals(http2Preface.subarray(0, firstBytes.length));
    if (isUndecided) {
      socket.once('readable', inspect);
      return;
    }
    clearTimeout(timer);
    socket.unshift(bytes);
    onFirstBytes(firstBytes);
  };
  socket.once('readable', inspect);
}

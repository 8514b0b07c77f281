import type { Socket } from 'node:net';

const SENTENCE = 'This server has reached its maximum number of connections. Try again in a minute.';

/** The time for the client to read the refusal and hang up before it is cut. */
const LINGER_MS = 1_000;

/** Refuses a connection beyond the limit in the client's protocol, and ends it. */
export function refuseConnection(socket: Socket, http2: boolean): void {
  // The request is ignored, but must be read: otherwise the kernel would reset the connection before the response.
  socket.resume();
  socket.end(http2 ? goAway() : serviceUnavailable());
  const destroyTimer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(destroyTimer));
}

const serviceUnavailable = (): string =>
  [
    'HTTP/1.1 503 Service Unavailable',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${SENTENCE.length + 1}`,
    'retry-after: 60',
    'connection: close',
    '',
    `${SENTENCE}\n`,
  ].join('\r\n');

/**
 * Returns the server's preface, which must come first, and GOAWAY with nothing processed and no error (RFC 9113, 6.8):
 * gRPC clients turn it into UNAVAILABLE and may retry.
 */
function goAway(): Buffer {
  const debug = Buffer.from(SENTENCE);
  const payload = Buffer.alloc(8 + debug.length);
  debug.copy(payload, 8);
  return Buffer.concat([frame(SETTINGS_TYPE, Buffer.alloc(0)), frame(GO_AWAY_TYPE, payload)]);
}

const SETTINGS_TYPE = 4;
const GO_AWAY_TYPE = 7;

function frame(type: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  return Buffer.concat([header, payload]);
}

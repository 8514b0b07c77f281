import type { Socket } from 'node:net';

const SENTENCE = 'This server has as many connections as it takes: try again in a minute.';

/** For the client to read the refusal and hang up; then it is cut. */
const LINGER_MS = 1_000;

/** Tells a client in its protocol that there are too many connections, and ends this one. */
export function refuseConnection(socket: Socket, http2: boolean): void {
  // What it asks is of no interest, and left unread it would make the kernel reset the connection before the answer.
  socket.resume();
  socket.end(http2 ? goAway() : serviceUnavailable());
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
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
 * The server's preface, which has to come first, and GOAWAY with nothing processed and no error (RFC 9113, 6.8): gRPC
 * clients make UNAVAILABLE of it, and may try again.
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

import type { Socket } from 'node:net';

const REASON = 'This server has reached its maximum number of connections. Try again in a minute.';

/** How long the client has to read the response and close the connection before it's destroyed. */
const LINGER_MS = 1000;

/** Refuses a connection beyond the limit in the client's protocol and ends it. */
export function refuseConnection(socket: Socket, http2: boolean): void {
  // Read and ignore the request. Otherwise, the kernel would reset the connection before the response.
  socket.resume();
  socket.end(http2 ? goAway() : serviceUnavailable());
  const destroyTimer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(destroyTimer));
}

const serviceUnavailable = (): string =>
  [
    'HTTP/1.1 503 Service Unavailable',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${REASON.length + 1}`,
    'retry-after: 60',
    'connection: close',
    '',
    `${REASON}\n`,
  ].join('\r\n');

/**
 * Returns the server's preface and a GOAWAY frame that has no error and no processed stream (RFC 9113, 6.8). gRPC
 * clients report it as UNAVAILABLE and can retry.
 */
function goAway(): Buffer {
  const debug = Buffer.from(REASON);
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

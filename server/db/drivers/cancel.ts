import { connect, type NetConnectOpts } from 'node:net';

import type pg from 'pg';

const CANCEL_REQUEST_CODE = 80_877_102;
const TIMEOUT_MS = 5000;

/**
 * Sends the server a CancelRequest for a connection (PostgreSQL protocol, "Canceling Requests in Progress"). The
 * request uses its own unencrypted connection, which servers accept even if they require TLS. Its only secret is a key
 * that can only cancel statements of this connection. Resolves once the server has processed the request and closed
 * the connection.
 */
export function cancelStatement(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as ClientInternals;
  const packet = Buffer.alloc(16);
  [packet.length, CANCEL_REQUEST_CODE, processID, secretKey].forEach((value, index) =>
    packet.writeInt32BE(value, index * 4),
  );
  const address: NetConnectOpts = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => socket.end(packet));
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error("The server didn't accept the cancellation in time.")),
    );
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.resume();
  });
}

/** Members of pg's Client that its types omit. */
interface ClientInternals {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

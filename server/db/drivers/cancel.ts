import { connect, type NetConnectOpts } from 'node:net';
import type pg from 'pg';

const CANCEL_REQUEST_CODE = 80_877_102;
const TIMEOUT_MS = 5_000;

/**
 * Sends the server a CancelRequest for a connection (PostgreSQL protocol, "Canceling Requests in Progress"). It goes
 * over a connection of its own and unencrypted, which servers accept even where they ask for TLS: all it holds is a
 * key that is good for cancelling this one backend. Resolves when the server has hung up, and so has passed it on.
 */
export function cancelStatement(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Backend;
  const packet = Buffer.alloc(16);
  [packet.length, CANCEL_REQUEST_CODE, processID, secretKey].forEach((value, index) =>
    packet.writeInt32BE(value, index * 4),
  );
  const address: NetConnectOpts = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => socket.end(packet));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('The server did not take the cancellation in time.')));
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.resume();
  });
}

/** Members of pg's Client that its types leave out. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Client } from 'pg';

import type { Log } from '#server/base/log.ts';

interface Receiver {
  readonly receive: (payload: string) => void;
  readonly onMiss: (() => void) | undefined;
}

const RETRY_MILLISECONDS = 1000;

/**
 * The heartbeat of a connection. A listening connection sends nothing else, so a loss would otherwise go unnoticed.
 */
interface Heartbeat {
  readonly everyMs: number;
  /** If there is no response within this time, the connection counts as lost. */
  readonly timeoutMs: number;
}

const defaultHeartbeat: Heartbeat = { everyMs: 15_000, timeoutMs: 10_000 };

/** A LISTEN connection, which is replaced when it is lost or no longer responds. */
export class PostgresListener {
  readonly #newClient: () => Client;
  readonly #log: Log | undefined;
  readonly #heartbeat: Heartbeat;
  readonly #receivers = new Map<string, Set<Receiver>>();
  #connection: Promise<Client> | undefined;
  #closed = false;

  /** @param newClient creates a client, which must have a connection timeout */
  constructor(newClient: () => Client, log: Log | undefined, heartbeat = defaultHeartbeat) {
    this.#newClient = newClient;
    this.#log = log;
    this.#heartbeat = heartbeat;
  }

  async listen(channel: string, receive: (payload: string) => void, onMiss?: () => void): Promise<() => Promise<void>> {
    const receiver = { receive, onMiss };
    const receivers = this.#receivers.get(channel) ?? new Set();
    this.#receivers.set(channel, receivers.add(receiver));
    this.#connection ??= this.#connect();
    await (await this.#connection).query(`listen ${channel}`);
    return async () => {
      receivers.delete(receiver);
      if (receivers.size === 0 && !this.#closed) await (await this.#connection)?.query(`unlisten ${channel}`);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#connection?.catch(() => undefined))?.end();
  }

  async #connect(): Promise<Client> {
    const client = this.#newClient();
    // 'error' is followed by 'end', which replaces the connection.
    client.on('error', (error) => this.#log?.warn('The listening connection was lost.', { reason: error.message }));
    await client.connect();
    for (const channel of this.#receivers.keys()) await client.query(`listen ${channel}`);
    // Register the handler only now, so listeners learn about missed notifications before later ones.
    client.on('notification', ({ channel, payload }) => {
      for (const { receive } of this.#receivers.get(channel) ?? []) receive(payload ?? '');
    });
    const heartbeat = this.#keepAlive(client);
    client.on('end', () => {
      clearInterval(heartbeat);
      if (!this.#closed) this.#connection = this.#reconnect();
    });
    return client;
  }

  /** Cuts a silent connection: a network that drops packets notifies neither side. */
  #keepAlive(client: Client): NodeJS.Timeout {
    const { everyMs, timeoutMs } = this.#heartbeat;
    const sendHeartbeat = async (): Promise<void> => {
      const timeout = setTimeout(() => (client as unknown as Backend).connection.stream.destroy(), timeoutMs);
      // The 'error' event that follows gives the reason.
      await client.query('select 1').catch(() => undefined);
      clearTimeout(timeout);
    };
    return setInterval(() => void sendHeartbeat(), everyMs).unref();
  }

  async #reconnect(): Promise<Client> {
    for (;;) {
      await sleep(RETRY_MILLISECONDS, undefined, { ref: false });
      if (this.#closed) throw new Error('The database is closed.');
      try {
        const client = await this.#connect();
        for (const receivers of this.#receivers.values()) for (const { onMiss } of receivers) onMiss?.();
        return client;
      } catch (error) {
        this.#log?.warn("The listening connection can't be restored yet.", { reason: (error as Error).message });
      }
    }
  }
}

/** A member of pg's Client that its types omit. */
interface Backend {
  readonly connection: { stream: Socket };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from '../log.ts';

interface Receiver {
  receive: (payload: string) => void;
  missed: (() => void) | undefined;
}

const retryMilliseconds = 1000;

/** LISTEN on a connection of its own, which is made anew when it is lost. */
export class PostgresListener {
  readonly #newClient: () => Client;
  readonly #log: Log | undefined;
  readonly #receivers = new Map<string, Set<Receiver>>();
  #connection: Promise<Client> | undefined;
  #closed = false;

  constructor(newClient: () => Client, log: Log | undefined) {
    this.#newClient = newClient;
    this.#log = log;
  }

  async listen(channel: string, receive: (payload: string) => void, missed?: () => void): Promise<() => Promise<void>> {
    const receiver = { receive, missed };
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
    // 'error' is followed by 'end', which is where the connection is replaced.
    client.on('error', (error) => this.#log?.warn('The listening connection was lost.', { reason: error.message }));
    await client.connect();
    for (const channel of this.#receivers.keys()) await client.query(`listen ${channel}`);
    // Only now: whoever is told next that something was missed must not be handed later notices before that.
    client.on('notification', ({ channel, payload }) => {
      for (const { receive } of this.#receivers.get(channel) ?? []) receive(payload ?? '');
    });
    client.on('end', () => {
      if (!this.#closed) this.#connection = this.#reconnect();
    });
    return client;
  }

  async #reconnect(): Promise<Client> {
    for (;;) {
      await sleep(retryMilliseconds, undefined, { ref: false });
      if (this.#closed) throw new Error('The database is closed.');
      try {
        const client = await this.#connect();
        for (const receivers of this.#receivers.values()) for (const { missed } of receivers) missed?.();
        return client;
      } catch (error) {
        this.#log?.warn('The listening connection cannot be restored yet.', { reason: (error as Error).message });
      }
    }
  }
}

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from '#server/base/log.ts';

interface Receiver {
  readonly receive: (payload: string) => void;
  readonly missed: (() => void) | undefined;
}

const RETRY_MILLISECONDS = 1000;

/** How a connection shows that it is alive. Nothing is ever sent on one that listens, so that it would not notice. */
interface Heartbeat {
  readonly everyMs: number;
  /** Without an answer, it counts as lost. */
  readonly answerMs: number;
}

const usualHeartbeat: Heartbeat = { everyMs: 15_000, answerMs: 10_000 };

/** LISTEN on a connection of its own, which is made anew when it is lost, or when no answer comes over it any more. */
export class PostgresListener {
  readonly #newClient: () => Client;
  readonly #log: Log | undefined;
  readonly #heartbeat: Heartbeat;
  readonly #receivers = new Map<string, Set<Receiver>>();
  #connection: Promise<Client> | undefined;
  #closed = false;

  /** @param newClient of a connection that gives up by itself when it cannot be made */
  constructor(newClient: () => Client, log: Log | undefined, heartbeat = usualHeartbeat) {
    this.#newClient = newClient;
    this.#log = log;
    this.#heartbeat = heartbeat;
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
    const beating = this.#keepAlive(client);
    client.on('end', () => {
      clearInterval(beating);
      if (!this.#closed) this.#connection = this.#reconnect();
    });
    return client;
  }

  /** Cuts the connection when it is silent: a network that drops packets tells neither side. */
  #keepAlive(client: Client): NodeJS.Timeout {
    const { everyMs, answerMs } = this.#heartbeat;
    const beat = async (): Promise<void> => {
      const cut = setTimeout(() => (client as unknown as Backend).connection.stream.destroy(), answerMs);
      // Why it fails is told by 'error', which follows.
      await client.query('select 1').catch(() => undefined);
      clearTimeout(cut);
    };
    return setInterval(() => void beat(), everyMs).unref();
  }

  async #reconnect(): Promise<Client> {
    for (;;) {
      await sleep(RETRY_MILLISECONDS, undefined, { ref: false });
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

/** A member of pg's Client that its types leave out. */
interface Backend {
  readonly connection: { stream: Socket };
}

import { create, toBinary } from '@bufbuild/protobuf';
import { Pool } from 'undici';

import { PushModemMessagesRequestSchema, TestingService } from '#proto/gen/hiber/testing_pb.ts';

const PATH = `/${TestingService.typeName}/PushModemMessages`;

/** As many bytes as in a real sensor's message. */
export const CONTENT = new Uint8Array(24).fill(7);

/** Sends messages to one or more servers over Connect, at minimal cost to this process. */
export class Pusher {
  readonly #pools: readonly Pool[];
  readonly #headers: Record<string, string>;
  readonly #numbers: readonly string[];
  #sent = 0;

  constructor(addresses: readonly string[], bearer: string, numbers: readonly string[]) {
    this.#pools = addresses.map((address) => new Pool(address, { connections: 16 }));
    this.#headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/proto' };
    this.#numbers = numbers;
  }

  /** Measures the milliseconds per 1,000 messages while `clients` clients each send `batch` messages per call. */
  async measure({ clients, batch, seconds }: { clients: number; batch: number; seconds: number }): Promise<number> {
    const startedAt = performance.now();
    const until = startedAt + seconds * 1000;
    let messages = 0;
    const client = async (index: number) => {
      while (performance.now() < until) {
        await this.#push(index, batch);
        messages += batch;
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
    return ((performance.now() - startedAt) / messages) * 1000;
  }

  async #push(client: number, batch: number): Promise<void> {
    const messages = Array.from({ length: batch }, () => ({
      modemNumber: this.#numbers[this.#sent++ % this.#numbers.length] ?? '',
      content: CONTENT,
    }));
    const pool = this.#pools[client % this.#pools.length];
    const body = toBinary(PushModemMessagesRequestSchema, create(PushModemMessagesRequestSchema, { messages }));
    const response = await pool?.request({ path: PATH, method: 'POST', headers: this.#headers, body });
    const text = await response?.body.text();
    if (response?.statusCode !== 200) throw new Error(`A push failed: ${response?.statusCode} ${text}`);
  }

  async close(): Promise<void> {
    for (const pool of this.#pools) await pool.close();
  }
}

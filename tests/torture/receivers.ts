import { startReceiver, type TestReceiver } from '#server/testkit/publishing.ts';

import type { Random } from './random.ts';

export const receiverNames = ['steady', 'slow', 'flaky'] as const;
export type ReceiverName = (typeof receiverNames)[number];

/** The destinations of webhooks: `steady` responds immediately, `slow` after a delay, and `flaky` sometimes fails. */
export class Receivers {
  readonly #receiver: TestReceiver;
  #healthy = false;

  private constructor(receiver: TestReceiver) {
    this.#receiver = receiver;
  }

  static async start(random: Random): Promise<Receivers> {
    const box: { receivers?: Receivers } = {};
    const receiver = await startReceiver(({ path }, response) => {
      const fails = path === '/flaky' && !box.receivers?.healthy && random() < 0.02;
      const respond = (): void => void response.writeHead(fails ? 503 : 204).end();
      if (path === '/slow') setTimeout(respond, 15);
      else respond();
    });
    box.receivers = new Receivers(receiver);
    return box.receivers;
  }

  get healthy(): boolean {
    return this.#healthy;
  }

  /** Stops all failures. */
  recover(): void {
    this.#healthy = true;
  }

  url(name: ReceiverName): string {
    return new URL(`/${name}`, this.#receiver.url).href;
  }

  get calls(): number {
    return this.#receiver.received.length;
  }

  /** Ids of deliveries with their events, in the order of first arrival. */
  firstArrivals(name: ReceiverName): Map<string, string> {
    const first = new Map<string, string>();
    for (const { path, headers, body } of this.#receiver.received) {
      const delivery = String(headers['x-quarterdeck-delivery']);
      if (path === `/${name}` && !first.has(delivery)) first.set(delivery, body.toString());
    }
    return first;
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }
}

import { startReceiver, type TestReceiver } from '#server/testkit/publishing.ts';

import type { Random } from './random.ts';

export const receiverNames = ['steady', 'slow', 'flaky'] as const;
export type ReceiverName = (typeof receiverNames)[number];

/** The webhook receivers: `steady` responds immediately, `slow` responds after a delay, and `flaky` sometimes fails. */
export class Receivers {
  readonly #receiver: TestReceiver;
  #isHealthy = false;

  private constructor(receiver: TestReceiver) {
    this.#receiver = receiver;
  }

  static async start(random: Random): Promise<Receivers> {
    const instance: { receivers?: Receivers } = {};
    const receiver = await startReceiver(({ path }, response) => {
      const shouldFail = path === '/flaky' && !instance.receivers?.isHealthy && random() < 0.02;
      const respond = (): void => void response.writeHead(shouldFail ? 503 : 204).end();
      if (path === '/slow') setTimeout(respond, 15);
      else respond();
    });
    instance.receivers = new Receivers(receiver);
    return instance.receivers;
  }

  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Stops all failures. */
  recover(): void {
    this.#isHealthy = true;
  }

  url(name: ReceiverName): string {
    return new URL(`/${name}`, this.#receiver.url).href;
  }

  get calls(): number {
    return this.#receiver.received.length;
  }

  /** Returns the events by delivery id, in order of first arrival. */
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

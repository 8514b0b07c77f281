import type { App } from '#server/app/app.ts';
import { createSender, deliveryTimeout } from '#server/publishing/targets/webhook/send.ts';
import { startDelivery } from '#server/publishing/worker.ts';
import { startSimulator } from '#server/demo/simulator/simulator.ts';

export interface Happenings {
  close(): Promise<void>;
}

/**
 * Starts what runs beside the calls: delivery, and in a demo the simulated fleet. What is due by the clock is in
 * jobs.ts.
 *
 * @param rate messages per second of the simulated fleet; 0 for none
 */
export async function startHappenings(app: App, { rate }: { rate: number }): Promise<Happenings> {
  const { db, log, secrets, config } = app;
  const now = () => app.now();
  const sender = createSender({
    policy: { allowLoopback: config.allowLoopbackDeliveries },
    timeout: deliveryTimeout,
  });
  const worker = await startDelivery({ db, sender, secrets, log, now, version: config.version });
  const simulator = config.demo && rate > 0 ? startSimulator({ db, log, now, rate }) : undefined;
  return {
    async close() {
      await simulator?.close();
      await worker.close();
      await sender.close();
    },
  };
}

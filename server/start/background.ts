import type { App } from '#server/app/app.ts';
import { startPublishing } from '#server/publishing/targets/all.ts';
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
  const { db, log, config } = app;
  const publishing = await startPublishing(app);
  const simulator = config.demo && rate > 0 ? startSimulator({ db, log, now: () => app.now(), rate }) : undefined;
  return {
    async close() {
      await simulator?.close();
      await publishing.close();
    },
  };
}

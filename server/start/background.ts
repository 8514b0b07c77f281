import type { App } from '#server/app/app.ts';
import { startSimulator } from '#server/demo/simulator/simulator.ts';
import { startExportWorker } from '#server/domains/data/export/worker.ts';
import { startSimulations } from '#server/domains/data/simulation/run.ts';
import { startPublishing } from '#server/publishing/targets/all.ts';

export interface BackgroundWorkers {
  close(): Promise<void>;
}

/**
 * Starts delivery to publishers, exports, organizations' simulations, and, in a demo, the simulated fleet. Scheduled
 * work is in jobs.ts.
 *
 * @param rate messages per second of the simulated fleet; 0 for none
 */
export async function startBackgroundWorkers(app: App, { rate }: { rate: number }): Promise<BackgroundWorkers> {
  const { db, log, config, parsing, secrets } = app;
  const publishing = await startPublishing(app);
  const simulations = startSimulations(app);
  const exports = startExportWorker(app);
  const simulator =
    config.demo && rate > 0 ? startSimulator({ db, log, parsing, secrets, now: () => app.now(), rate }) : undefined;
  return {
    async close() {
      await simulator?.close();
      await exports.close();
      await simulations.close();
      await publishing.close();
    },
  };
}

import type { App } from '#server/app/app.ts';
import type { EventSink } from '#server/events/record.ts';
import { eventDeliveries } from '#server/publishing/fan-out.ts';
import type { Target } from '#server/publishing/target.ts';
import { startDelivery } from '#server/publishing/worker.ts';

import { emailTarget } from './mail/target.ts';
import { webhookTarget } from './webhook/target.ts';

/** Every kind of publisher. To add one, create a folder next to this file and add a line here. */
const targets: readonly Target[] = [webhookTarget, emailTarget];

/** The sinks that fill the outbox. */
export const outboxSinks: readonly EventSink[] = [
  ...targets.flatMap(({ sink }) => sink ?? []),
  eventDeliveries(targets.filter(({ sink }) => sink === undefined).map(({ kind }) => kind)),
];

/** Starts a worker for each kind, each with its own slots. */
export async function startPublishing(app: App): Promise<{ close(): Promise<void> }> {
  const { db, log, now } = app;
  const publishing = await Promise.all(
    targets.map(async (target) => {
      const dispatcher = target.open(app);
      return { dispatcher, worker: await startDelivery({ db, target, dispatcher, log, now }) };
    }),
  );
  return {
    async close() {
      for (const { worker, dispatcher } of publishing) {
        await worker.close();
        await dispatcher.close();
      }
    },
  };
}

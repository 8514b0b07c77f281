/**
 * A server process that only delivers, for kill.test.ts. Opens the data folder and delivers its outbox. If the second
 * argument names a receiver, it first fills the folder with a webhook and a hundred events.
 */
import process from 'node:process';

import { silentLog } from '#server/base/log.ts';
import { openDatabase } from '#server/db/drivers/open.ts';
import { migrate } from '#server/db/migrate/migrate.ts';
import { createSender } from '#server/publishing/targets/webhook/send.ts';
import { connectEventSinks } from '#server/start/event-sinks.ts';

import { addWebhook, deliverWebhooks, fillFixture, recordTestEvents } from './publishing.ts';

const [folder, receiver] = process.argv.slice(2);
connectEventSinks();
const db = await openDatabase({ folder });
await migrate(db, new Date());
if (receiver !== undefined) {
  await fillFixture(db);
  await addWebhook(db, { url: receiver });
  await recordTestEvents(db, ...Array.from({ length: 100 }, (_, index) => String(index)));
}
await deliverWebhooks({
  db,
  sender: createSender({ policy: { allowLoopback: true }, timeout: 2000 }),
  log: silentLog,
  now: () => new Date(),
});

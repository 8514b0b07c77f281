/**
 * A server process that only exports, for kill.test.ts and memory.test.ts in domains/data/export. Opens the data folder,
 * and prints the rows done of its only export after each round, until it is ready. With a second argument, it first fills
 * the folder with a device, as many messages, and the export. The third argument is the number of rows in a batch.
 *
 * With `--expose-gc`, it prints the memory in use after each round too.
 */
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import { Export_Format_Type, Export_FormatSchema, Export_Status } from '#proto/gen/hiber/export_pb.ts';
import type { App } from '#server/app/app.ts';
import { silentLog } from '#server/base/log.ts';
import { createSealer, SEALING_KEY_BYTES } from '#server/base/secrets.ts';
import { openDatabase } from '#server/db/drivers/open.ts';
import { migrate } from '#server/db/migrate/migrate.ts';
import { storeFormat } from '#server/domains/data/export/format.ts';
import { runExports } from '#server/domains/data/export/run.ts';
import { dataExport } from '#server/domains/data/export/schema.ts';
import { connectEventSinks } from '#server/start/event-sinks.ts';

import { fillFixture, NUMBER, ORGANIZATION } from './publishing.ts';

const [folder = '', count, batchRows = '5'] = process.argv.slice(2);
/** Larger than a row's other fields, so an export that kept its rows would soon need many megabytes. */
const BODY_BYTES = 1000;

connectEventSinks();
const db = await openDatabase({ folder });
await migrate(db, new Date());
if (count !== undefined) {
  await fillFixture(db);
  const now = new Date();
  const start = new Date(now.getTime() - 86_400_000);
  await db.orm.execute(sql`
    insert into message (organization, received_at, number, sent_at, body)
    select ${ORGANIZATION}, ${start.toISOString()}::timestamptz + n * interval '1 second', ${NUMBER},
        ${start.toISOString()}::timestamptz + n * interval '1 second', decode(repeat('ab', ${BODY_BYTES}), 'hex')
      from generate_series(1, ${Number(count)}) as n`);
  const value = { customFields: { id: '$.messageId', body: '$.bodyBytes.hex' }, compact: true };
  await db.orm.insert(dataExport).values({
    organization: ORGANIZATION,
    identifier: 'export-1',
    name: 'Everything',
    status: Export_Status.PROCESSING,
    kind: 'messages',
    owners: [NUMBER],
    rangeEnd: now,
    format: storeFormat(
      create(Export_FormatSchema, { type: Export_Format_Type.JSON, configuration: { case: 'json', value } }),
    ),
    expiresIn: 3600,
    requestedBy: 'nobody',
    emailSubscribed: false,
    units: {},
    hidden: false,
    createdAt: now,
    dueAt: now,
  });
}
/** Returns the bytes of the heap and of buffers that are still referenced. */
async function memoryInUse(): Promise<number[]> {
  if (globalThis.gc === undefined) return [];
  globalThis.gc();
  // The buffers of collected objects are released in the background, some only by the next collection.
  await delay(5);
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return [heapUsed, arrayBuffers];
}

const app = {
  db,
  log: silentLog,
  secrets: createSealer(randomBytes(SEALING_KEY_BYTES)),
  now: () => new Date(),
  config: { exportPace: { rows: Number(batchRows), pauseMs: 1 }, neutralizesFormulas: true, origin: '' },
} as unknown as App;
for (;;) {
  await runExports(app, AbortSignal.timeout(50));
  const [row] = await db.orm.select().from(dataExport);
  process.stdout.write(`${[row?.rowsDone, ...(await memoryInUse())].join(' ')}\n`);
  if (row?.status !== Export_Status.PROCESSING) break;
  await delay(1);
}
await db.close();

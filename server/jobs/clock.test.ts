import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { dropOldPartitions, ensurePartitions } from '#server/db/migrate/partitions.ts';
import { type BackgroundWorkers, startBackgroundWorkers } from '#server/start/background.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { startReceiver, type TestReceiver } from '#server/testkit/publishing.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const DAY = 86_400_000;
const YEAR = 365 * DAY;

let t: TestServer;
let backgroundWorkers: BackgroundWorkers;
let receiver: TestReceiver;
let number: string;
beforeAll(async () => {
  t = await startTestServer();
  backgroundWorkers = await startBackgroundWorkers(t.app, { rate: 0 });
  receiver = await startReceiver();
  await t
    .as('administrator')
    .client(WebhookService)
    .create({ data: { url: receiver.url } });
  const { devices } = await t.as('administrator').client(DeviceService).list({});
  number = devices[0]?.number ?? '';
});
afterAll(async () => {
  await backgroundWorkers.close();
  await receiver.close();
  await t.close();
});

const push = (marker: string, textual?: string) =>
  t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({
      messages: [
        { modemNumber: number, metadata: { marker }, ...(textual === undefined ? {} : { time: { textual } }) },
      ],
    });

async function countStored(marker: string): Promise<number> {
  const { rows } = await t.app.db.orm.execute<{ count: string }>(
    sql`select count(*) as count from message where metadata ->> 'marker' = ${marker}`,
  );
  return Number(rows[0]?.count);
}

const isDelivered = (marker: string): boolean =>
  receiver.received.some(({ body }) => body.toString().includes(`"marker":"${marker}"`));

describe('a clock that jumps while the server runs', () => {
  test.each([
    ['a year ahead', YEAR],
    ['ten years ahead', 9 * YEAR],
    ['back to the present', -10 * YEAR],
    ['five years back', -5 * YEAR],
    ['to now', 5 * YEAR],
    ['by an NTP step', -1500],
  ])('does not stop messages from being accepted, listed, and delivered (%s)', async (name, milliseconds) => {
    t.advance(milliseconds);
    await push(name);
    expect(await countStored(name)).toBe(1);
    await eventually(() => expect(isDelivered(name)).toBe(true));
    await t.as('administrator').client(MessageService).list({});
    await t.as('administrator').client(EventService).list({});
  });

  test('does not make partition maintenance lose rows', async () => {
    const count = async () =>
      (await t.app.db.pool.query<{ rows: number }>('select count(*) as rows from message')).rows[0]?.rows;
    const before = await count();
    for (const jump of [10 * YEAR, -10 * YEAR]) {
      t.advance(jump);
      await ensurePartitions(t.app.db.pool, t.app.now());
    }
    expect(await count()).toBe(before);
    const { rows } = await t.app.db.pool.query<{ rows: number }>('select count(*) as rows from message_default');
    // These are the two messages from other years, for which upkeep hasn't created partitions.
    expect(rows[0]?.rows).toBe(2);
  });

  test('does not make partition maintenance in the wrong year drop more than one partition', async () => {
    const weeks = async () =>
      (await t.app.db.pool.query(`select 1 from pg_inherits where inhparent = 'message'::regclass`)).rows.length;
    const before = await weeks();
    await dropOldPartitions(t.app.db.pool, new Date(Date.now() + 10 * YEAR));
    expect(await weeks()).toBeGreaterThanOrEqual(before - 1);
  });
});

test.each(['1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '2200-06-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'a message with a device time of %s is stored, listed, and delivered',
  async (time) => {
    await push(time, time);
    expect(await countStored(time)).toBe(1);
    await eventually(() => expect(isDelivered(time)).toBe(true));
    const { devices } = await t
      .as('administrator')
      .client(DeviceService)
      .list({ selection: { modems: { include: [number] } } });
    expect(devices).toHaveLength(1);
  },
);

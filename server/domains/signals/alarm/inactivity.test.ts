import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Database } from '#server/db/database.ts';
import { ingestMessages } from '#server/domains/fleet/message/ingest.ts';
import { NUMBER, openFixture, ORGANIZATION } from '#server/testkit/publishing.ts';

import { watchInactivity } from './watch-inactivity.ts';

let db: Database;
const start = new Date('2026-11-16T08:00:00Z');
const HOUR = 3_600_000;
const after = (hours: number) => new Date(start.getTime() + hours * HOUR);

beforeAll(async () => {
  db = await openFixture();
});
afterAll(() => db.close());

beforeEach(async () => {
  await db.orm.execute(sql`delete from setting`);
  await db.orm.execute(sql`delete from event`);
  await db.orm.execute(sql`delete from device_condition`);
  await db.orm.execute(sql`update device set health_level = 'Healthy', expected_transmission_rate = null`);
  await db.orm
    .execute(sql`update device set lifecycle = 1, last_message_received_at = ${start.toISOString()}::timestamptz,
    transmission_interval = 3600`);
});

/** Runs the watch every five minutes between two times, in hours after the last message. */
async function watch(from: number, to: number): Promise<void> {
  for (let hours = from; hours <= to; hours += 1 / 12) await watchInactivity({ db, now: () => after(hours) });
}

async function readHealth(): Promise<string | undefined> {
  const { rows } = await db.orm.execute<{ health_level: string }>(sql`select health_level from device`);
  return rows[0]?.health_level;
}

async function readAlarms() {
  const { rows } = await db.orm.execute<{ title: string; health_level: string; resolved: boolean }>(
    sql`select title, health_level, resolved_at is not null as resolved from event
      where type = ${EventType.ALARM_TRIGGERED} order by id`,
  );
  return rows;
}

test('a silent device becomes late, then lost, and healthy again when it sends a message', async () => {
  await watch(5, 5.9);
  expect(await readHealth()).toBe('Healthy');
  await watch(6, 6.5);
  expect(await readHealth()).toBe('Build up');
  await watch(6.6, 25);
  expect(await readHealth()).toBe('Alarm');
  expect(await readAlarms()).toEqual([
    { title: 'No message for 6h', health_level: 'Build up', resolved: false },
    { title: 'No message for 1d', health_level: 'Alarm', resolved: false },
  ]);
  const message = { number: NUMBER, sentAt: after(26), body: new Uint8Array(), source: 3 } as const;
  await db.transaction((tx) => ingestMessages(tx, ORGANIZATION, [message], new Date()));
  expect(await readHealth()).toBe('Healthy');
  expect((await readAlarms()).map(({ resolved }) => resolved)).toEqual([true, true]);
});

test('pausing a device ends its alarm', async () => {
  await watch(0, 7);
  expect(await readHealth()).toBe('Build up');
  await db.orm.execute(sql`update device set lifecycle = 6`);
  await watchInactivity({ db, now: () => after(7.2) });
  expect(await readHealth()).toBe('Healthy');
});

test('server downtime does not count as silence', async () => {
  await watch(0, 1);
  await watch(49, 53);
  expect(await readHealth()).toBe('Healthy');
  await watch(53, 55);
  expect(await readHealth()).toBe('Build up');
});

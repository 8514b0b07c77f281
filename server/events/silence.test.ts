import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EventType } from '#proto/hiber/event_type_pb';
import { Modem_Lifecycle } from '#proto/hiber/modem_pb';
import type { Database } from '#server/db/database';
import { addOrganization, number, openFixture, organization } from '../delivery/test-kit.ts';
import { applyInactivity, inactivityChanges } from './inactivity.ts';
import { ingestMessages } from './ingest.ts';
import { watchInactivity } from './watch-inactivity.ts';

let db: Database;
const start = new Date('2026-11-16T08:00:00Z');
const hour = 3_600_000;
const after = (hours: number) => new Date(start.getTime() + hours * hour);

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

async function health(): Promise<string | undefined> {
  const { rows } = await db.orm.execute<{ health_level: string }>(sql`select health_level from device`);
  return rows[0]?.health_level;
}

async function alarms() {
  const { rows } = await db.orm.execute<{ title: string; health_level: string; resolved: boolean }>(
    sql`select title, health_level, resolved_at is not null as resolved from event
      where type = ${EventType.ALARM_TRIGGERED} order by id`,
  );
  return rows;
}

/** What would change `hours` after the device was heard, as level and hours of silence. */
async function found(hours: number, ...downtimes: (readonly [from: number, to: number])[]) {
  const rows = await inactivityChanges(
    db.orm,
    after(hours),
    downtimes.map(([from, to]) => ({ from: after(from), to: after(to) })),
  );
  return rows.map(({ level, silence }) => [level, Math.round(silence / 360) / 10]);
}

test.each([
  ['its own interval', sql`transmission_interval = 4 * 3600`, 4],
  ['the rate that its service level counts on', sql`transmission_interval = 60, expected_transmission_rate = 4`, 6],
  ['no rate at all, where that is zero', sql`transmission_interval = 4 * 3600, expected_transmission_rate = 0`, 4],
  ['a day, where nothing is known', sql`transmission_interval = null`, 24],
])('a device is expected by %s', async (_, settings, interval) => {
  await db.orm.execute(sql`update device set ${settings}`);
  expect(await found(4 * interval)).toEqual([]);
  expect(await found(4 * interval + 0.1)).toEqual([['Build up', 4 * interval + 0.1]]);
  expect(await found(12 * interval)).toEqual([['Build up', 12 * interval]]);
  expect(await found(12 * interval + 0.1)).toEqual([['Alarm', 12 * interval + 0.1]]);
});

test('the organization has a rate for devices without one', async () => {
  await db.orm.execute(sql`update organization set expected_transmission_rate = 4 where id = ${organization}`);
  expect([await found(24), await found(24.1)]).toEqual([[], [['Build up', 24.1]]]);
  await db.orm.execute(sql`update device set expected_transmission_rate = 24`);
  expect(await found(6.1)).toEqual([['Build up', 6.1]]);
  await db.orm.execute(sql`update organization set expected_transmission_rate = null`);
});

test('a quick device is not late before six hours, nor lost before a day', async () => {
  expect([await found(6), await found(6.1), await found(24), await found(24.1)]).toEqual([
    [],
    [['Build up', 6.1]],
    [['Build up', 24]],
    [['Alarm', 24.1]],
  ]);
});

test('of a downtime counts what lies between the last message and now', async () => {
  expect(await found(10, [-5, -1])).toEqual([['Build up', 10]]);
  expect(await found(10, [-5, 2])).toEqual([['Build up', 8]]);
  expect(await found(10, [1, 2], [4, 5])).toEqual([['Build up', 8]]);
  expect(await found(10, [8, 20])).toEqual([['Build up', 8]]);
  expect(await found(10, [11, 20])).toEqual([['Build up', 10]]);
  expect(await found(10, [1, 6])).toEqual([]);
});

test('a device that never spoke is not waited for, nor one that is not expected to', async () => {
  const { INSTALLED, PENDING_MAINTENANCE, PENDING_REPLACEMENT, PAUSED, READY_TO_INSTALL } = Modem_Lifecycle;
  const waited: number[] = [];
  for (const lifecycle of [INSTALLED, PENDING_MAINTENANCE, PENDING_REPLACEMENT, PAUSED, READY_TO_INSTALL]) {
    await db.orm.execute(sql`update device set lifecycle = ${lifecycle}`);
    if ((await found(7)).length > 0) waited.push(lifecycle);
  }
  expect(waited).toEqual([INSTALLED, PENDING_MAINTENANCE, PENDING_REPLACEMENT]);
  await db.orm.execute(sql`update device set lifecycle = 1, last_message_received_at = null`);
  expect(await found(7)).toEqual([]);
});

test('what was found is left alone where the device was heard since, or its level is gone', async () => {
  const changes = await inactivityChanges(db.orm, after(7), []);
  const apply = (given: typeof changes) => db.transaction((tx) => applyInactivity(tx, organization, given, after(7)));
  await apply(changes.map((change) => ({ ...change, heard: after(1).toISOString() })));
  await apply(changes.map((change) => ({ ...change, level: 'Gone' })));
  await apply([]);
  expect([await health(), await alarms()]).toEqual(['Healthy', []]);
  await apply(changes);
  expect([await health(), (await alarms()).length]).toEqual(['Build up', 1]);
  expect(await found(7)).toEqual([]);
});

test('a device of another organization with the same number is judged, and heard, by itself', async () => {
  const other = 'bravo';
  await addOrganization(db, other);
  await db.orm.execute(sql`update device set last_message_received_at = ${start.toISOString()}::timestamptz,
    transmission_interval = 3600`);
  await watchInactivity({ db, now: () => after(7) });
  const levels = async () => {
    const { rows } = await db.orm.execute<{ of: string; level: string }>(sql`
      select organization as of, health_level as level from device order by 1`);
    return rows.map(({ of, level }) => `${of} ${level}`);
  };
  const resolved = async () => {
    const { rows } = await db.orm.execute<{ of: string }>(sql`select organization as of from event
      where type = ${EventType.ALARM_TRIGGERED} and resolved_at is not null`);
    return rows.map(({ of }) => of);
  };
  expect([await levels(), await resolved()]).toEqual([['acme Build up', 'bravo Build up'], []]);
  const message = { number, sentAt: after(8), body: new Uint8Array(), source: 3 } as const;
  await db.transaction((tx) => ingestMessages(tx, organization, [message], after(8)));
  expect([await levels(), await resolved()]).toEqual([['acme Healthy', 'bravo Build up'], ['acme']]);
  await db.orm.execute(sql`delete from organization where id = ${other}`);
});

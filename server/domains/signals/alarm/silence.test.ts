import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Database } from '#server/db/database.ts';
import { locksOf } from '#server/testkit/locks.ts';
import { addOrganization, NUMBER, openFixture, ORGANIZATION } from '#server/testkit/publishing.ts';
import { applyInactivity, type Change, endInactivity, inactivityChanges } from './inactivity.ts';
import { ingestMessages } from '#server/domains/fleet/message/ingest.ts';
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
  await db.orm.execute(sql`update organization set expected_transmission_rate = 4 where id = ${ORGANIZATION}`);
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
  const apply = (given: typeof changes) => db.transaction((tx) => applyInactivity(tx, ORGANIZATION, given, after(7)));
  await apply(changes.map((change) => ({ ...change, heard: after(1).toISOString() })));
  await apply(changes.map((change) => ({ ...change, level: 'Gone' })));
  await apply([]);
  expect([await health(), await alarms()]).toEqual(['Healthy', []]);
  await apply(changes);
  expect([await health(), (await alarms()).length]).toEqual(['Build up', 1]);
  expect(await found(7)).toEqual([]);
});

/** Adds a device to the organization, or another organization with a device of the same number, for one test. */
async function withAnother<T>(add: 'device' | 'organization', work: (value: string) => Promise<T>): Promise<T> {
  const heard = sql`last_message_received_at = ${start.toISOString()}::timestamptz, transmission_interval = 3600`;
  if (add === 'organization') await addOrganization(db, 'bravo');
  else {
    await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
      values (${ORGANIZATION}, '0DDB A115', 'Well 8', 3, 1, 'Healthy')`);
  }
  await db.orm.execute(sql`update device set ${heard}`);
  try {
    return await work(add === 'organization' ? 'bravo' : '0DDB A115');
  } finally {
    await db.orm.execute(sql`delete from organization where id = 'bravo'`);
    await db.orm.execute(sql`delete from device_condition where number = '0DDB A115'`);
    await db.orm.execute(sql`delete from device where number = '0DDB A115'`);
  }
}
const weigh = (value: string, device: string, source: string, level: string) =>
  db.orm.execute(sql`insert into device_condition (organization, number, source, health_level, since)
    values (${value}, ${device}, ${source}, ${level}, now())`);
const changesAt = async (hours: number) =>
  (await inactivityChanges(db.orm, after(hours), [])).map(
    ({ organization: of, number: device, level }) => `${of} ${device} ${level}`,
  );
const apply = (changes: readonly Change[], hours: number) =>
  db.transaction((tx) => applyInactivity(tx, ORGANIZATION, changes, after(hours)));

test('each organization is judged by its own rate and its own levels', async () => {
  await withAnother('organization', async (bravo) => {
    await db.orm.execute(sql`update organization set expected_transmission_rate = 24 where id = ${ORGANIZATION}`);
    await db.orm.execute(sql`update organization set expected_transmission_rate = 1 where id = ${bravo}`);
    await db.orm.execute(sql`update health_level set level = 'Rising' where organization = ${bravo} and severity = 2`);
    expect(await changesAt(7)).toEqual([`${ORGANIZATION} ${NUMBER} Build up`]);
    expect(await changesAt(97)).toEqual([`${ORGANIZATION} ${NUMBER} Alarm`, `${bravo} ${NUMBER} Rising`]);
    await db.orm.execute(sql`update organization set expected_transmission_rate = null`);
  });
});

test('what counts as known already is the silence of the device itself', async () => {
  await withAnother('device', async (second) => {
    await weigh(ORGANIZATION, second, 'inactivity', 'Build up');
    await weigh(ORGANIZATION, NUMBER, 'another', 'Build up');
    expect(await changesAt(7)).toEqual([`${ORGANIZATION} ${NUMBER} Build up`]);
  });
  await db.orm.execute(sql`delete from device_condition`);
  await withAnother('organization', async (bravo) => {
    await weigh(bravo, NUMBER, 'inactivity', 'Build up');
    expect(await changesAt(7)).toEqual([`${ORGANIZATION} ${NUMBER} Build up`]);
  });
});

test('a change is for a device last heard when it was found, in its own organization', async () => {
  const heard = (value: string, device: string, hours: number) =>
    db.orm.execute(sql`update device set last_message_received_at = ${after(hours).toISOString()}::timestamptz
      where organization = ${value} and number = ${device}`);
  const change = { organization: ORGANIZATION, number: NUMBER, level: 'Build up', silence: 7 * 3600 };
  await withAnother('device', async (second) => {
    // Heard since, at the moment at which another device was found.
    await heard(ORGANIZATION, NUMBER, 1);
    await apply(
      [
        { ...change, heard: start.toISOString() },
        { ...change, number: second, heard: after(1).toISOString() },
      ],
      7,
    );
    expect(await alarms()).toEqual([]);
  });
  await withAnother('organization', async () => {
    await heard(ORGANIZATION, NUMBER, 1);
    await apply([{ ...change, heard: start.toISOString() }], 7);
    expect(await alarms()).toEqual([]);
  });
});

test('changes lock the levels and the devices, and no changes lock no device', async () => {
  const locks = (changes: readonly Change[]) =>
    db.transaction(async (tx) => {
      await applyInactivity(tx, ORGANIZATION, changes, after(7));
      return locksOf(tx);
    });
  expect(await locks(await inactivityChanges(db.orm, after(7), []))).toEqual(
    expect.arrayContaining(['advisory shared', 'device rows']),
  );
  const none = await db.transaction(async (tx) => {
    await endInactivity(tx, ORGANIZATION, [], after(7));
    return locksOf(tx);
  });
  expect(none).toEqual([]);
});

test('the end of a silence resolves its own alarms, once, and ends no other condition', async () => {
  await withAnother('device', async (second) => {
    for (const hours of [7, 25]) await apply(await inactivityChanges(db.orm, after(hours), []), hours);
    await weigh(ORGANIZATION, NUMBER, 'pressure', 'Build up');
    const earlier = after(8);
    await db.orm.execute(sql`update event set resolved_at = ${earlier.toISOString()}::timestamptz
      where type = ${EventType.ALARM_TRIGGERED} and title = 'No message for 7h'`);
    await db.transaction((tx) => endInactivity(tx, ORGANIZATION, [NUMBER], after(26)));
    const { rows: conditions } = await db.orm.execute(sql`select number, source from device_condition order by 1`);
    expect(conditions).toEqual([
      { number: NUMBER, source: 'pressure' },
      { number: second, source: 'inactivity' },
    ]);
    const { rows: weighed } = await db.orm.execute(sql`select number, health_level as level from device order by 1`);
    expect(weighed).toEqual([
      { number: NUMBER, level: 'Build up' },
      { number: second, level: 'Alarm' },
    ]);
    const { rows } = await db.orm.execute(sql`
      select resolve_identifier like '%' || ${NUMBER} || '%' as own, title,
        to_char(resolved_at at time zone 'UTC', 'DD HH24:MI') as resolved
      from event where type = ${EventType.ALARM_TRIGGERED} order by own, title`);
    expect(rows).toEqual([
      { own: false, title: 'No message for 1d1h', resolved: null },
      { own: false, title: 'No message for 7h', resolved: '16 16:00' },
      { own: true, title: 'No message for 1d1h', resolved: '17 10:00' },
      { own: true, title: 'No message for 7h', resolved: '16 16:00' },
    ]);
  });
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
  const message = { number: NUMBER, sentAt: after(8), body: new Uint8Array(), source: 3 } as const;
  await db.transaction((tx) => ingestMessages(tx, ORGANIZATION, [message], after(8)));
  expect([await levels(), await resolved()]).toEqual([['acme Healthy', 'bravo Build up'], ['acme']]);
  await db.orm.execute(sql`delete from organization where id = ${other}`);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Database } from '#server/db/database.ts';
import { ingestMessages } from '#server/domains/fleet/message/ingest.ts';
import { listLocks } from '#server/testkit/locks.ts';
import { addOrganization, NUMBER, openFixture, ORGANIZATION } from '#server/testkit/publishing.ts';

import { applyInactivity, endInactivity, type InactivityChange, findInactivityChanges } from './inactivity.ts';
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

/** Lists the changes that are due `hours` after the last message, each as its level and its hours of inactivity. */
async function listDueChanges(hours: number, ...downtimes: (readonly [from: number, to: number])[]) {
  const rows = await findInactivityChanges(
    db.orm,
    after(hours),
    downtimes.map(([from, to]) => ({ from: after(from), to: after(to) })),
  );
  return rows.map(({ level, silence }) => [level, Math.round(silence / 360) / 10]);
}

test.each([
  ['its own interval', sql`transmission_interval = 4 * 3600`, 4],
  [
    'its expected rate rather than its own interval',
    sql`transmission_interval = 60, expected_transmission_rate = 4`,
    6,
  ],
  [
    'its own interval if the expected rate is 0',
    sql`transmission_interval = 4 * 3600, expected_transmission_rate = 0`,
    4,
  ],
  ['an interval of a day by default', sql`transmission_interval = null`, 24],
])('judges silence by %s', async (_, settings, interval) => {
  await db.orm.execute(sql`update device set ${settings}`);
  expect(await listDueChanges(4 * interval)).toEqual([]);
  expect(await listDueChanges(4 * interval + 0.1)).toEqual([['Build up', 4 * interval + 0.1]]);
  expect(await listDueChanges(12 * interval)).toEqual([['Build up', 12 * interval]]);
  expect(await listDueChanges(12 * interval + 0.1)).toEqual([['Alarm', 12 * interval + 0.1]]);
});

test("uses the organization's rate for devices that have no rate of their own", async () => {
  await db.orm.execute(sql`update organization set expected_transmission_rate = 4 where id = ${ORGANIZATION}`);
  expect([await listDueChanges(24), await listDueChanges(24.1)]).toEqual([[], [['Build up', 24.1]]]);
  await db.orm.execute(sql`update device set expected_transmission_rate = 24`);
  expect(await listDueChanges(6.1)).toEqual([['Build up', 6.1]]);
  await db.orm.execute(sql`update organization set expected_transmission_rate = null`);
});

test('a device with a short interval is late after six hours, and lost after a day', async () => {
  expect([
    await listDueChanges(6),
    await listDueChanges(6.1),
    await listDueChanges(24),
    await listDueChanges(24.1),
  ]).toEqual([[], [['Build up', 6.1]], [['Build up', 24]], [['Alarm', 24.1]]]);
});

test('subtracts only the downtime since the last message', async () => {
  expect(await listDueChanges(10, [-5, -1])).toEqual([['Build up', 10]]);
  expect(await listDueChanges(10, [-5, 2])).toEqual([['Build up', 8]]);
  expect(await listDueChanges(10, [1, 2], [4, 5])).toEqual([['Build up', 8]]);
  expect(await listDueChanges(10, [8, 20])).toEqual([['Build up', 8]]);
  expect(await listDueChanges(10, [11, 20])).toEqual([['Build up', 10]]);
  expect(await listDueChanges(10, [1, 6])).toEqual([]);
});

test('ignores devices that never sent a message or are not expected to send messages', async () => {
  const { INSTALLED, PENDING_MAINTENANCE, PENDING_REPLACEMENT, PAUSED, READY_TO_INSTALL } = Modem_Lifecycle;
  const watched: number[] = [];
  for (const lifecycle of [INSTALLED, PENDING_MAINTENANCE, PENDING_REPLACEMENT, PAUSED, READY_TO_INSTALL]) {
    await db.orm.execute(sql`update device set lifecycle = ${lifecycle}`);
    if ((await listDueChanges(7)).length > 0) watched.push(lifecycle);
  }
  expect(watched).toEqual([INSTALLED, PENDING_MAINTENANCE, PENDING_REPLACEMENT]);
  await db.orm.execute(sql`update device set lifecycle = 1, last_message_received_at = null`);
  expect(await listDueChanges(7)).toEqual([]);
});

test('skips a change if the device has sent a message since, or its level no longer exists', async () => {
  const changes = await findInactivityChanges(db.orm, after(7), []);
  const apply = (input: typeof changes) => db.transaction((tx) => applyInactivity(tx, ORGANIZATION, input, after(7)));
  await apply(changes.map((change) => ({ ...change, lastMessageAt: after(1).toISOString() })));
  await apply(changes.map((change) => ({ ...change, level: 'Gone' })));
  await apply([]);
  expect([await readHealth(), await readAlarms()]).toEqual(['Healthy', []]);
  await apply(changes);
  expect([await readHealth(), (await readAlarms()).length]).toEqual(['Build up', 1]);
  expect(await listDueChanges(7)).toEqual([]);
});

/** Adds, for a single test, a second device or a second organization that has a device with the same number. */
async function withAnother<T>(add: 'device' | 'organization', work: (added: string) => Promise<T>): Promise<T> {
  const sharedColumns = sql`last_message_received_at = ${start.toISOString()}::timestamptz, transmission_interval = 3600`;
  if (add === 'organization') await addOrganization(db, 'bravo');
  else {
    await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
      values (${ORGANIZATION}, '0DDB A115', 'Well 8', 3, 1, 'Healthy')`);
  }
  await db.orm.execute(sql`update device set ${sharedColumns}`);
  try {
    return await work(add === 'organization' ? 'bravo' : '0DDB A115');
  } finally {
    await db.orm.execute(sql`delete from organization where id = 'bravo'`);
    await db.orm.execute(sql`delete from device_condition where number = '0DDB A115'`);
    await db.orm.execute(sql`delete from device where number = '0DDB A115'`);
  }
}
const addCondition = (organization: string, device: string, source: string, level: string) =>
  db.orm.execute(sql`insert into device_condition (organization, number, source, health_level, since)
    values (${organization}, ${device}, ${source}, ${level}, now())`);
const changesAfter = async (hours: number) =>
  (await findInactivityChanges(db.orm, after(hours), [])).map(
    ({ organization, number, level }) => `${organization} ${number} ${level}`,
  );
const apply = (changes: readonly InactivityChange[], hours: number) =>
  db.transaction((tx) => applyInactivity(tx, ORGANIZATION, changes, after(hours)));

test("uses each organization's own rate and levels", async () => {
  await withAnother('organization', async (bravo) => {
    await db.orm.execute(sql`update organization set expected_transmission_rate = 24 where id = ${ORGANIZATION}`);
    await db.orm.execute(sql`update organization set expected_transmission_rate = 1 where id = ${bravo}`);
    await db.orm.execute(sql`update health_level set level = 'Rising' where organization = ${bravo} and severity = 2`);
    expect(await changesAfter(7)).toEqual([`${ORGANIZATION} ${NUMBER} Build up`]);
    expect(await changesAfter(97)).toEqual([`${ORGANIZATION} ${NUMBER} Alarm`, `${bravo} ${NUMBER} Rising`]);
    await db.orm.execute(sql`update organization set expected_transmission_rate = null`);
  });
});

test('skips a device only if its own silence is already recorded', async () => {
  await withAnother('device', async (second) => {
    await addCondition(ORGANIZATION, second, 'inactivity', 'Build up');
    await addCondition(ORGANIZATION, NUMBER, 'another', 'Build up');
    expect(await changesAfter(7)).toEqual([`${ORGANIZATION} ${NUMBER} Build up`]);
  });
  await db.orm.execute(sql`delete from device_condition`);
  await withAnother('organization', async (bravo) => {
    await addCondition(bravo, NUMBER, 'inactivity', 'Build up');
    expect(await changesAfter(7)).toEqual([`${ORGANIZATION} ${NUMBER} Build up`]);
  });
});

test('applies a change only to its own device, and only if no message has arrived since', async () => {
  const setLastMessage = (organization: string, device: string, hours: number) =>
    db.orm.execute(sql`update device set last_message_received_at = ${after(hours).toISOString()}::timestamptz
      where organization = ${organization} and number = ${device}`);
  const change = { organization: ORGANIZATION, number: NUMBER, level: 'Build up', silence: 7 * 3600 };
  await withAnother('device', async (second) => {
    // The first device's last message arrived at the time that the change expects for the second device.
    await setLastMessage(ORGANIZATION, NUMBER, 1);
    await apply(
      [
        { ...change, lastMessageAt: start.toISOString() },
        { ...change, number: second, lastMessageAt: after(1).toISOString() },
      ],
      7,
    );
    expect(await readAlarms()).toEqual([]);
  });
  await withAnother('organization', async () => {
    await setLastMessage(ORGANIZATION, NUMBER, 1);
    await apply([{ ...change, lastMessageAt: start.toISOString() }], 7);
    expect(await readAlarms()).toEqual([]);
  });
});

test('locks only the levels and devices that change', async () => {
  const locks = (changes: readonly InactivityChange[]) =>
    db.transaction(async (tx) => {
      await applyInactivity(tx, ORGANIZATION, changes, after(7));
      return listLocks(tx);
    });
  expect(await locks(await findInactivityChanges(db.orm, after(7), []))).toEqual(
    expect.arrayContaining(['advisory shared', 'device rows']),
  );
  const locksWithoutDevices = await db.transaction(async (tx) => {
    await endInactivity(tx, ORGANIZATION, [], after(7));
    return listLocks(tx);
  });
  expect(locksWithoutDevices).toEqual([]);
});

test("ending a device's inactivity resolves its open alarms and keeps its other conditions", async () => {
  await withAnother('device', async (second) => {
    for (const hours of [7, 25]) await apply(await findInactivityChanges(db.orm, after(hours), []), hours);
    await addCondition(ORGANIZATION, NUMBER, 'pressure', 'Build up');
    const earlierTime = after(8);
    await db.orm.execute(sql`update event set resolved_at = ${earlierTime.toISOString()}::timestamptz
      where type = ${EventType.ALARM_TRIGGERED} and title = 'No message for 7h'`);
    await db.transaction((tx) => endInactivity(tx, ORGANIZATION, [NUMBER], after(26)));
    const { rows: conditions } = await db.orm.execute(sql`select number, source from device_condition order by 1`);
    expect(conditions).toEqual([
      { number: NUMBER, source: 'pressure' },
      { number: second, source: 'inactivity' },
    ]);
    const { rows: levels } = await db.orm.execute(sql`select number, health_level as level from device order by 1`);
    expect(levels).toEqual([
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

test('keeps devices with the same number in two organizations apart', async () => {
  const second = 'bravo';
  await addOrganization(db, second);
  await db.orm.execute(sql`update device set last_message_received_at = ${start.toISOString()}::timestamptz,
    transmission_interval = 3600`);
  await watchInactivity({ db, now: () => after(7) });
  const levels = async () => {
    const { rows } = await db.orm.execute<{ organization: string; level: string }>(sql`
      select organization, health_level as level from device order by 1`);
    return rows.map(({ organization, level }) => `${organization} ${level}`);
  };
  const resolvedOrganizations = async () => {
    const { rows } = await db.orm.execute<{ organization: string }>(sql`select organization from event
      where type = ${EventType.ALARM_TRIGGERED} and resolved_at is not null`);
    return rows.map(({ organization }) => organization);
  };
  expect([await levels(), await resolvedOrganizations()]).toEqual([['acme Build up', 'bravo Build up'], []]);
  const message = { number: NUMBER, sentAt: after(8), body: new Uint8Array(), source: 3 } as const;
  await db.transaction((tx) => ingestMessages(tx, ORGANIZATION, [message], after(8)));
  expect([await levels(), await resolvedOrganizations()]).toEqual([['acme Healthy', 'bravo Build up'], ['acme']]);
  await db.orm.execute(sql`delete from organization where id = ${second}`);
});

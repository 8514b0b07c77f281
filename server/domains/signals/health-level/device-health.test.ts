import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthLevelSchema } from '#proto/gen/hiber/health_pb.ts';
import type { Database } from '#server/db/database.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { alarmTriggered } from '#server/domains/signals/alarm/events.ts';
import { listLocks } from '#server/testkit/locks.ts';
import { addOrganization, NUMBER, openFixture } from '#server/testkit/publishing.ts';

import {
  applyEventHealth,
  expireHealth,
  lockDevices,
  lockHealth,
  refreshAllHealth,
  refreshHealth,
} from './device-health.ts';

let db: Database;
const now = new Date('2026-11-20T10:00:00Z');
const SECOND_NUMBER = '0BAD CAFE';

/** Sets up two organizations that have devices with the same two numbers. */
beforeAll(async () => {
  db = await openFixture();
  await addOrganization(db, 'bravo');
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    select organization, ${SECOND_NUMBER}, 'Well 8', 3, 1, 'Healthy' from device`);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.execute(sql`delete from device_condition`);
  await db.orm.execute(sql`update device set health_level = 'Healthy'`);
});

/** Adds a condition to a device. */
async function addCondition(
  organization: string,
  number: string,
  source: string,
  level: string,
  until: Date | null = null,
) {
  await db.orm.execute(sql`insert into device_condition (organization, number, source, health_level, since, until)
    values (${organization}, ${number}, ${source}, ${level}, ${now.toISOString()}::timestamptz,
      ${until?.toISOString() ?? null}::timestamptz)`);
}
const addConditions = async (level: string, until?: Date) => {
  for (const organization of ['acme', 'bravo']) {
    for (const device of [NUMBER, SECOND_NUMBER]) await addCondition(organization, device, 'rule', level, until);
  }
};
async function readHealth(): Promise<Record<string, string>> {
  const { rows } = await db.orm.execute<{ device: string; level: string }>(
    sql`select organization || '/' || number as device, health_level as level from device order by 1`,
  );
  return Object.fromEntries(rows.map(({ device, level }) => [device, level]));
}
const healthy = {
  [`acme/${SECOND_NUMBER}`]: 'Healthy',
  [`acme/${NUMBER}`]: 'Healthy',
  [`bravo/${SECOND_NUMBER}`]: 'Healthy',
  [`bravo/${NUMBER}`]: 'Healthy',
};
const refresh = (...numbers: string[]) => db.transaction((tx) => refreshHealth(tx, 'acme', numbers));

test('refreshes only the named devices, each to the level of its worst condition', async () => {
  await addConditions('Build up');
  await addCondition('acme', NUMBER, 'another', 'Alarm');
  await addCondition('acme', NUMBER, 'third', 'Healthy');
  await refresh();
  expect(await readHealth()).toEqual(healthy);
  await refresh(NUMBER);
  expect(await readHealth()).toEqual({ ...healthy, [`acme/${NUMBER}`]: 'Alarm' });
  await refresh(SECOND_NUMBER);
  expect(await readHealth()).toEqual({
    ...healthy,
    [`acme/${NUMBER}`]: 'Alarm',
    [`acme/${SECOND_NUMBER}`]: 'Build up',
  });
});

test("a device without active conditions has its organization's mildest level", async () => {
  await addCondition('bravo', NUMBER, 'rule', 'Alarm');
  await addCondition('acme', NUMBER, 'rule', 'Alarm');
  await refresh(NUMBER);
  await db.orm.execute(sql`update device_condition set lapsed = true where organization = 'acme'`);
  await refresh(NUMBER);
  expect(await readHealth()).toEqual(healthy);
});

test('refreshes only the devices of one organization', async () => {
  await addConditions('Build up');
  await addCondition('acme', SECOND_NUMBER, 'another', 'Alarm');
  await db.orm.execute(sql`update device set health_level = 'Alarm' where number = ${SECOND_NUMBER}`);
  await db.transaction((tx) => refreshAllHealth(tx, 'acme'));
  expect(await readHealth()).toEqual({
    [`acme/${SECOND_NUMBER}`]: 'Alarm',
    [`acme/${NUMBER}`]: 'Build up',
    [`bravo/${SECOND_NUMBER}`]: 'Alarm',
    [`bravo/${NUMBER}`]: 'Healthy',
  });
  await db.orm.execute(sql`delete from device_condition where organization = 'acme'`);
  await db.transaction((tx) => refreshAllHealth(tx, 'acme'));
  expect(await readHealth()).toMatchObject({ [`acme/${SECOND_NUMBER}`]: 'Healthy', [`acme/${NUMBER}`]: 'Healthy' });
});

test('a condition expires on time, and only on its own device', async () => {
  await addCondition('acme', NUMBER, 'rule', 'Alarm', now);
  await addCondition('acme', NUMBER, 'longer', 'Build up', new Date(now.getTime() + 1));
  await addCondition('acme', SECOND_NUMBER, 'rule', 'Alarm', new Date(now.getTime() + 1));
  await addCondition('bravo', NUMBER, 'rule', 'Alarm');
  await addCondition('bravo', SECOND_NUMBER, 'rule', 'Alarm', new Date(now.getTime() - 1));
  for (const organization of ['acme', 'bravo']) {
    await db.transaction((tx) => refreshAllHealth(tx, organization));
  }
  await expireHealth({ db, now: () => now });
  const after = {
    [`acme/${SECOND_NUMBER}`]: 'Alarm',
    [`acme/${NUMBER}`]: 'Build up',
    [`bravo/${SECOND_NUMBER}`]: 'Healthy',
    [`bravo/${NUMBER}`]: 'Alarm',
  };
  expect(await readHealth()).toEqual(after);
  const { rows } = await db.orm.execute(sql`select organization, number, source from device_condition where lapsed
    order by organization`);
  expect(rows).toEqual([
    { organization: 'acme', number: NUMBER, source: 'rule' },
    { organization: 'bravo', number: SECOND_NUMBER, source: 'rule' },
  ]);
  // Ended conditions aren't processed again.
  await db.orm.execute(sql`update device set health_level = 'Alarm'`);
  await expireHealth({ db, now: () => now });
  expect(new Set(Object.values(await readHealth()))).toEqual(new Set(['Alarm']));
});

test('locks existing devices in number order', async () => {
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    values ('bravo', '0000 0001', 'Foreign', 3, 1, 'Healthy') on conflict do nothing`);
  expect(await db.transaction((tx) => lockDevices(tx, 'acme', [SECOND_NUMBER, '0000 0001', NUMBER]))).toEqual(
    [NUMBER, SECOND_NUMBER].toSorted(),
  );
  await db.orm.execute(sql`delete from device where number = '0000 0001'`);
});

test('lockHealth takes an exclusive or a shared lock', async () => {
  const locksFor = (mode: 'exclusive' | 'shared') =>
    db.transaction(async (tx) => {
      await lockHealth(tx, 'acme', mode);
      return listLocks(tx);
    });
  expect([await locksFor('exclusive'), await locksFor('shared')]).toEqual([
    ['advisory exclusive'],
    ['advisory shared'],
  ]);
});

test('lockDevices locks rows, and refreshing no devices locks nothing', async () => {
  const deviceLocks = await db.transaction(async (tx) => {
    await lockDevices(tx, 'acme', [NUMBER]);
    return listLocks(tx);
  });
  const lockCount = await db.transaction(async (tx) => {
    await refreshHealth(tx, 'acme', []);
    const { rows } = await tx.execute(sql`select from pg_locks
      where relation = 'device'::regclass and pid = pg_backend_pid()`);
    return rows.length;
  });
  expect([deviceLocks, lockCount]).toEqual([['device rows'], 0]);
});

test("ranks levels by their severity in the device's organization", async () => {
  // Another organization has the same names in reverse order, and a milder level.
  await db.orm.execute(sql`update health_level set severity = 10 - severity where organization = 'bravo'`);
  await db.orm.execute(sql`insert into health_level (organization, level, severity, catch_all, color_data)
    values ('bravo', 'Asleep', 0, false, '{}')`);
  await addCondition('acme', NUMBER, 'rule', 'Build up');
  await addCondition('acme', NUMBER, 'another', 'Alarm');
  await db.orm.execute(sql`update device set health_level = 'Build up' where number = ${SECOND_NUMBER}`);
  await refresh(NUMBER, SECOND_NUMBER);
  const { [`acme/${NUMBER}`]: worst, [`acme/${SECOND_NUMBER}`]: mildest } = await readHealth();
  await db.orm.execute(sql`update device set health_level = 'Healthy'`);
  await db.orm.execute(sql`delete from health_level where level = 'Asleep'`);
  await db.orm.execute(sql`update health_level set severity = 10 - severity where organization = 'bravo'`);
  expect([worst, mildest]).toEqual(['Alarm', 'Healthy']);
});

test('refreshing one organization locks no device of another', async () => {
  await db.orm.execute(sql`update device set health_level = 'Alarm'`);
  const { rows } = await db.transaction(async (tx) => {
    await refreshAllHealth(tx, 'acme');
    return tx.execute(sql`select organization from device
      where xmax::text = pg_current_xact_id()::text and organization = 'bravo'`);
  });
  expect(rows).toEqual([]);
});

test('expires the conditions of devices with the same number in each organization', async () => {
  for (const organization of ['acme', 'bravo']) {
    await addCondition(organization, NUMBER, 'rule', 'Alarm', now);
    await addCondition(organization, SECOND_NUMBER, 'rule', 'Alarm', new Date(now.getTime() + 1));
    await db.transaction((tx) => refreshAllHealth(tx, organization));
  }
  await expireHealth({ db, now: () => now });
  expect(await readHealth()).toEqual({
    ...healthy,
    [`acme/${SECOND_NUMBER}`]: 'Alarm',
    [`bravo/${SECOND_NUMBER}`]: 'Alarm',
  });
});

describe("an event's effect on the health of its device", () => {
  /** Creates an event with the given type, level, and device; an empty number means no device. */
  async function createTestEvent(
    type: EventType,
    level: string | undefined,
    device: string | undefined = NUMBER,
    time = now,
  ) {
    const subject = (await loadDeviceSubjects(db.orm, 'acme', [NUMBER])).get(NUMBER)!;
    const healthLevel = level === undefined ? undefined : create(HealthLevelSchema, { level });
    const alarm = create(HealthLevelSchema, { level: 'Alarm' });
    const event = alarmTriggered(subject, time, {
      alarm: 'a',
      alarmDescription: '',
      errorMessage: '',
      healthLevel: alarm,
    });
    event.event.type = type;
    event.event.healthLevel = healthLevel;
    if (device === '') event.event.device = undefined;
    else if (event.event.device) event.event.device.number = device;
    return event;
  }
  const apply = (...events: Awaited<ReturnType<typeof createTestEvent>>[]) =>
    db.transaction((tx) => applyEventHealth(tx, events));
  const { MESSAGE_CANNOT_BE_PARSED: cannotBeParsed, ALARM_TRIGGERED: alarm } = EventType;

  test('is the level of the last event', async () => {
    await apply(await createTestEvent(cannotBeParsed, 'Alarm'), await createTestEvent(cannotBeParsed, 'Build up'));
    expect(await readHealth()).toEqual({ ...healthy, [`acme/${NUMBER}`]: 'Build up' });
    await apply(
      await createTestEvent(cannotBeParsed, 'Alarm', SECOND_NUMBER),
      await createTestEvent(cannotBeParsed, 'Alarm'),
    );
    expect(await readHealth()).toEqual({ ...healthy, [`acme/${NUMBER}`]: 'Alarm', [`acme/${SECOND_NUMBER}`]: 'Alarm' });
  });

  test('is nothing if the event has no level or device, or if its type does not affect health', async () => {
    await apply(
      await createTestEvent(cannotBeParsed, undefined),
      await createTestEvent(cannotBeParsed, 'Alarm', ''),
      await createTestEvent(alarm, 'Alarm'),
    );
    expect(await readHealth()).toEqual(healthy);
    const { rows } = await db.orm.execute(sql`select from device_condition`);
    expect(rows).toEqual([]);
  });
});

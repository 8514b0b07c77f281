import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { addOrganization, NUMBER, openFixture } from '#server/testkit/publishing.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { HealthLevelSchema } from '#proto/gen/hiber/health_pb.ts';
import { locksOf } from '#server/testkit/locks.ts';
import { alarmTriggered } from '#server/domains/signals/alarm/events.ts';
import {
  applyEventHealth,
  expireHealth,
  lockDevices,
  lockHealth,
  refreshAllHealth,
  refreshHealth,
} from './device-health.ts';
import { deviceSubjects } from '#server/domains/fleet/device/model/subject.ts';

let db: Database;
const now = new Date('2026-11-20T10:00:00Z');
const SECOND = '0BAD CAFE';

/** Two organizations with devices of the same two numbers. */
beforeAll(async () => {
  db = await openFixture();
  await addOrganization(db, 'bravo');
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    select organization, ${SECOND}, 'Well 8', 3, 1, 'Healthy' from device`);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.execute(sql`delete from device_condition`);
  await db.orm.execute(sql`update device set health_level = 'Healthy'`);
});

/** Conditions as `acme/number: level`, for every organization and device that is named. */
async function weigh(organization: string, value: string, source: string, level: string, until: Date | null = null) {
  await db.orm.execute(sql`insert into device_condition (organization, number, source, health_level, since, until)
    values (${organization}, ${value}, ${source}, ${level}, ${now.toISOString()}::timestamptz,
      ${until?.toISOString() ?? null}::timestamptz)`);
}
const everywhere = async (level: string, until?: Date) => {
  for (const organization of ['acme', 'bravo']) {
    for (const device of [NUMBER, SECOND]) await weigh(organization, device, 'rule', level, until);
  }
};
async function health(): Promise<Record<string, string>> {
  const { rows } = await db.orm.execute<{ device: string; level: string }>(
    sql`select organization || '/' || number as device, health_level as level from device order by 1`,
  );
  return Object.fromEntries(rows.map(({ device, level }) => [device, level]));
}
const healthy = {
  [`acme/${SECOND}`]: 'Healthy',
  [`acme/${NUMBER}`]: 'Healthy',
  [`bravo/${SECOND}`]: 'Healthy',
  [`bravo/${NUMBER}`]: 'Healthy',
};
const refresh = (...numbers: string[]) => db.transaction((tx) => refreshHealth(tx, 'acme', numbers));

test('the health of a device is its worst condition, and only the devices that are named change', async () => {
  await everywhere('Build up');
  await weigh('acme', NUMBER, 'another', 'Alarm');
  await weigh('acme', NUMBER, 'third', 'Healthy');
  await refresh();
  expect(await health()).toEqual(healthy);
  await refresh(NUMBER);
  expect(await health()).toEqual({ ...healthy, [`acme/${NUMBER}`]: 'Alarm' });
  await refresh(SECOND);
  expect(await health()).toEqual({ ...healthy, [`acme/${NUMBER}`]: 'Alarm', [`acme/${SECOND}`]: 'Build up' });
});

test('without a condition that still counts a device has the mildest level of its organization', async () => {
  await weigh('bravo', NUMBER, 'rule', 'Alarm');
  await weigh('acme', NUMBER, 'rule', 'Alarm');
  await refresh(NUMBER);
  await db.orm.execute(sql`update device_condition set lapsed = true where organization = 'acme'`);
  await refresh(NUMBER);
  expect(await health()).toEqual(healthy);
});

test('all devices of one organization are brought up to date, and no other', async () => {
  await everywhere('Build up');
  await weigh('acme', SECOND, 'another', 'Alarm');
  await db.orm.execute(sql`update device set health_level = 'Alarm' where number = ${SECOND}`);
  await db.transaction((tx) => refreshAllHealth(tx, 'acme'));
  expect(await health()).toEqual({
    [`acme/${SECOND}`]: 'Alarm',
    [`acme/${NUMBER}`]: 'Build up',
    [`bravo/${SECOND}`]: 'Alarm',
    [`bravo/${NUMBER}`]: 'Healthy',
  });
  await db.orm.execute(sql`delete from device_condition where organization = 'acme'`);
  await db.transaction((tx) => refreshAllHealth(tx, 'acme'));
  expect(await health()).toMatchObject({ [`acme/${SECOND}`]: 'Healthy', [`acme/${NUMBER}`]: 'Healthy' });
});

test('a condition ends at its time, for its own device', async () => {
  await weigh('acme', NUMBER, 'rule', 'Alarm', now);
  await weigh('acme', NUMBER, 'longer', 'Build up', new Date(now.getTime() + 1));
  await weigh('acme', SECOND, 'rule', 'Alarm', new Date(now.getTime() + 1));
  await weigh('bravo', NUMBER, 'rule', 'Alarm');
  await weigh('bravo', SECOND, 'rule', 'Alarm', new Date(now.getTime() - 1));
  for (const organization of ['acme', 'bravo']) {
    await db.transaction((tx) => refreshAllHealth(tx, organization));
  }
  await expireHealth({ db, now: () => now });
  const after = {
    [`acme/${SECOND}`]: 'Alarm',
    [`acme/${NUMBER}`]: 'Build up',
    [`bravo/${SECOND}`]: 'Healthy',
    [`bravo/${NUMBER}`]: 'Alarm',
  };
  expect(await health()).toEqual(after);
  const { rows } = await db.orm.execute(sql`select organization, number, source from device_condition where lapsed
    order by organization`);
  expect(rows).toEqual([
    { organization: 'acme', number: NUMBER, source: 'rule' },
    { organization: 'bravo', number: SECOND, source: 'rule' },
  ]);
  // What has ended is not looked at again.
  await db.orm.execute(sql`update device set health_level = 'Alarm'`);
  await expireHealth({ db, now: () => now });
  expect(new Set(Object.values(await health()))).toEqual(new Set(['Alarm']));
});

test('devices are locked in order of number, those that exist', async () => {
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    values ('bravo', '0000 0001', 'Theirs', 3, 1, 'Healthy') on conflict do nothing`);
  expect(await db.transaction((tx) => lockDevices(tx, 'acme', [SECOND, '0000 0001', NUMBER]))).toEqual(
    [NUMBER, SECOND].toSorted(),
  );
  await db.orm.execute(sql`delete from device where number = '0000 0001'`);
});

test('levels are locked alone by who changes them, and shared by who weighs devices', async () => {
  const locked = (mode: 'alone' | 'shared') =>
    db.transaction(async (tx) => {
      await lockHealth(tx, 'acme', mode);
      return locksOf(tx);
    });
  expect([await locked('alone'), await locked('shared')]).toEqual([['advisory alone'], ['advisory shared']]);
});

test('devices stay locked, and nothing is locked where there is nothing to do', async () => {
  const held = await db.transaction(async (tx) => {
    await lockDevices(tx, 'acme', [NUMBER]);
    return locksOf(tx);
  });
  const none = await db.transaction(async (tx) => {
    await refreshHealth(tx, 'acme', []);
    const { rows } = await tx.execute(sql`select from pg_locks where relation = 'device'::regclass`);
    return rows.length;
  });
  expect([held, none]).toEqual([['device rows'], 0]);
});

test('levels weigh by the severity that they have in the organization of the device', async () => {
  // The same names the other way round, and one milder than all.
  await db.orm.execute(sql`update health_level set severity = 10 - severity where organization = 'bravo'`);
  await db.orm.execute(sql`insert into health_level (organization, level, severity, catch_all, color_data)
    values ('bravo', 'Asleep', 0, false, '{}')`);
  await weigh('acme', NUMBER, 'rule', 'Build up');
  await weigh('acme', NUMBER, 'another', 'Alarm');
  await db.orm.execute(sql`update device set health_level = 'Build up' where number = ${SECOND}`);
  await refresh(NUMBER, SECOND);
  const { [`acme/${NUMBER}`]: worst, [`acme/${SECOND}`]: mildest } = await health();
  await db.orm.execute(sql`update device set health_level = 'Healthy'`);
  await db.orm.execute(sql`delete from health_level where level = 'Asleep'`);
  await db.orm.execute(sql`update health_level set severity = 10 - severity where organization = 'bravo'`);
  expect([worst, mildest]).toEqual(['Alarm', 'Healthy']);
});

test('bringing one organization up to date locks no device of another', async () => {
  await db.orm.execute(sql`update device set health_level = 'Alarm'`);
  const { rows } = await db.transaction(async (tx) => {
    await refreshAllHealth(tx, 'acme');
    return tx.execute(sql`select organization from device
      where xmax::text = pg_current_xact_id()::text and organization = 'bravo'`);
  });
  expect(rows).toEqual([]);
});

test('conditions of the same device in two organizations end each with the health of its own', async () => {
  for (const organization of ['acme', 'bravo']) {
    await weigh(organization, NUMBER, 'rule', 'Alarm', now);
    await weigh(organization, SECOND, 'rule', 'Alarm', new Date(now.getTime() + 1));
    await db.transaction((tx) => refreshAllHealth(tx, organization));
  }
  await expireHealth({ db, now: () => now });
  expect(await health()).toEqual({ ...healthy, [`acme/${SECOND}`]: 'Alarm', [`bravo/${SECOND}`]: 'Alarm' });
});

describe('an event weighs on its device', () => {
  /** An event of the type about the device with the level, or without either. */
  async function happened(type: EventType, level: string | undefined, device: string | undefined = NUMBER, at = now) {
    const subject = (await deviceSubjects(db.orm, 'acme', [NUMBER])).get(NUMBER)!;
    const healthLevel = level === undefined ? undefined : create(HealthLevelSchema, { level });
    const alarm = create(HealthLevelSchema, { level: 'Alarm' });
    const event = alarmTriggered(subject, at, {
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
  const apply = (...events: Awaited<ReturnType<typeof happened>>[]) =>
    db.transaction((tx) => applyEventHealth(tx, events));
  const { MESSAGE_CANNOT_BE_PARSED: unparsed, ALARM_TRIGGERED: alarm } = EventType;

  test('by its level, the last of several', async () => {
    await apply(await happened(unparsed, 'Alarm'), await happened(unparsed, 'Build up'));
    expect(await health()).toEqual({ ...healthy, [`acme/${NUMBER}`]: 'Build up' });
    await apply(await happened(unparsed, 'Alarm', SECOND), await happened(unparsed, 'Alarm'));
    expect(await health()).toEqual({ ...healthy, [`acme/${NUMBER}`]: 'Alarm', [`acme/${SECOND}`]: 'Alarm' });
  });

  test('but not without a level or a device, nor when its type does not weigh', async () => {
    await apply(
      await happened(unparsed, undefined),
      await happened(unparsed, 'Alarm', ''),
      await happened(alarm, 'Alarm'),
    );
    expect(await health()).toEqual(healthy);
    const { rows } = await db.orm.execute(sql`select from device_condition`);
    expect(rows).toEqual([]);
  });
});

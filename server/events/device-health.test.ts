import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '#server/db/database';
import { addOrganization, number, openFixture } from '../delivery/test-kit.ts';
import { expireHealth, lockDevices, refreshAllHealth, refreshHealth } from './device-health.ts';

let db: Database;
const now = new Date('2026-11-20T10:00:00Z');
const second = '0BAD CAFE';

/** Two organizations with devices of the same two numbers. */
beforeAll(async () => {
  db = await openFixture();
  await addOrganization(db, 'bravo');
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    select organization, ${second}, 'Well 8', 3, 1, 'Healthy' from device`);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.orm.execute(sql`delete from device_condition`);
  await db.orm.execute(sql`update device set health_level = 'Healthy'`);
});

/** Conditions as `acme/number: level`, for every organization and device that is named. */
async function weigh(organization: string, of: string, source: string, level: string, until: Date | null = null) {
  await db.orm.execute(sql`insert into device_condition (organization, number, source, health_level, since, until)
    values (${organization}, ${of}, ${source}, ${level}, ${now.toISOString()}::timestamptz,
      ${until?.toISOString() ?? null}::timestamptz)`);
}
const everywhere = async (level: string, until?: Date) => {
  for (const organization of ['acme', 'bravo']) {
    for (const of of [number, second]) await weigh(organization, of, 'rule', level, until);
  }
};
async function health(): Promise<Record<string, string>> {
  const { rows } = await db.orm.execute<{ device: string; level: string }>(
    sql`select organization || '/' || number as device, health_level as level from device order by 1`,
  );
  return Object.fromEntries(rows.map(({ device, level }) => [device, level]));
}
const healthy = {
  [`acme/${second}`]: 'Healthy',
  [`acme/${number}`]: 'Healthy',
  [`bravo/${second}`]: 'Healthy',
  [`bravo/${number}`]: 'Healthy',
};
const refresh = (...numbers: string[]) => db.transaction((tx) => refreshHealth(tx, 'acme', numbers));

test('the health of a device is its worst condition, and only the devices that are named change', async () => {
  await everywhere('Build up');
  await weigh('acme', number, 'another', 'Alarm');
  await weigh('acme', number, 'third', 'Healthy');
  await refresh();
  expect(await health()).toEqual(healthy);
  await refresh(number);
  expect(await health()).toEqual({ ...healthy, [`acme/${number}`]: 'Alarm' });
  await refresh(second);
  expect(await health()).toEqual({ ...healthy, [`acme/${number}`]: 'Alarm', [`acme/${second}`]: 'Build up' });
});

test('without a condition that still counts a device has the mildest level of its organization', async () => {
  await weigh('bravo', number, 'rule', 'Alarm');
  await weigh('acme', number, 'rule', 'Alarm');
  await refresh(number);
  await db.orm.execute(sql`update device_condition set lapsed = true where organization = 'acme'`);
  await refresh(number);
  expect(await health()).toEqual(healthy);
});

test('all devices of one organization are brought up to date, and no other', async () => {
  await everywhere('Build up');
  await weigh('acme', second, 'another', 'Alarm');
  await db.orm.execute(sql`update device set health_level = 'Alarm' where number = ${second}`);
  await db.transaction((tx) => refreshAllHealth(tx, 'acme'));
  expect(await health()).toEqual({
    [`acme/${second}`]: 'Alarm',
    [`acme/${number}`]: 'Build up',
    [`bravo/${second}`]: 'Alarm',
    [`bravo/${number}`]: 'Healthy',
  });
  await db.orm.execute(sql`delete from device_condition where organization = 'acme'`);
  await db.transaction((tx) => refreshAllHealth(tx, 'acme'));
  expect(await health()).toMatchObject({ [`acme/${second}`]: 'Healthy', [`acme/${number}`]: 'Healthy' });
});

test('a condition ends at its time, for its own device', async () => {
  await weigh('acme', number, 'rule', 'Alarm', now);
  await weigh('acme', number, 'longer', 'Build up', new Date(now.getTime() + 1));
  await weigh('acme', second, 'rule', 'Alarm', new Date(now.getTime() + 1));
  await weigh('bravo', number, 'rule', 'Alarm');
  await weigh('bravo', second, 'rule', 'Alarm', new Date(now.getTime() - 1));
  for (const organization of ['acme', 'bravo']) {
    await db.transaction((tx) => refreshAllHealth(tx, organization));
  }
  await expireHealth({ db, now: () => now });
  const after = {
    [`acme/${second}`]: 'Alarm',
    [`acme/${number}`]: 'Build up',
    [`bravo/${second}`]: 'Healthy',
    [`bravo/${number}`]: 'Alarm',
  };
  expect(await health()).toEqual(after);
  const { rows } = await db.orm.execute(sql`select organization, number, source from device_condition where lapsed
    order by organization`);
  expect(rows).toEqual([
    { organization: 'acme', number, source: 'rule' },
    { organization: 'bravo', number: second, source: 'rule' },
  ]);
  // What has ended is not looked at again.
  await db.orm.execute(sql`update device set health_level = 'Alarm'`);
  await expireHealth({ db, now: () => now });
  expect(new Set(Object.values(await health()))).toEqual(new Set(['Alarm']));
});

test('devices are locked in order of number, those that exist', async () => {
  await db.orm.execute(sql`insert into device (organization, number, name, type, lifecycle, health_level)
    values ('bravo', '0000 0001', 'Theirs', 3, 1, 'Healthy') on conflict do nothing`);
  expect(await db.transaction((tx) => lockDevices(tx, 'acme', [second, '0000 0001', number]))).toEqual(
    [number, second].toSorted(),
  );
  await db.orm.execute(sql`delete from device where number = '0000 0001'`);
});

import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { groupBy } from '#commands/text/group-by.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { createSealer, SEALING_KEY_BYTES } from '#server/base/secrets.ts';
import type { Database } from '#server/db/database.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { assignConditions } from './condition.ts';
import { buildFleet, createNumberSource } from './fleet.ts';
import { seedColleagues } from './members.ts';
import { seedNotes } from './notes.ts';
import { seedOrganizations } from './organizations.ts';
import { demoPeople } from './people.ts';
import { seedDatabase } from './seed.ts';

const now = new Date('2026-11-20T12:00:00Z');
const secrets = createSealer(randomBytes(SEALING_KEY_BYTES));

describe('the demo fleet', () => {
  const buildDemoFleet = () => {
    const fleet = buildFleet('northwind', 2040, createNumberSource(), now);
    return { fleet, conditions: assignConditions(fleet.devices, 40, 'northwind', now) };
  };

  test('is the same every time', () => {
    expect(buildDemoFleet()).toEqual(buildDemoFleet());
  });

  test('has 214 visible devices in alarm, each with a condition', () => {
    const { fleet, conditions } = buildDemoFleet();
    const inAlarm = fleet.devices.filter(({ healthLevel }) => healthLevel === 'Alarm');
    expect(inAlarm).toHaveLength(214);
    expect(inAlarm.every(({ lifecycle }) => ![0, 4, 5, 7].includes(lifecycle))).toBe(true);
    const numbersInAlarm = new Set(
      conditions.filter(({ healthLevel }) => healthLevel === 'Alarm').map(({ number }) => number),
    );
    expect(numbersInAlarm).toEqual(new Set(inAlarm.map(({ number }) => number)));
  });

  test('has every lifecycle and sensors behind gateways', () => {
    const { devices } = buildDemoFleet().fleet;
    expect(new Set(devices.map(({ lifecycle }) => lifecycle))).toEqual(new Set([0, 1, 4, 5, 6, 7, 8, 9, 11, 12]));
    const gateways = new Set(devices.filter(({ type }) => type === 2).map(({ number }) => number));
    const sensors = devices.filter(({ type }) => type !== 2);
    expect(sensors.every(({ gateway }) => gateways.has(gateway ?? ''))).toBe(true);
  });
});

test('the additional organizations have unique ids, and some of them are sub-organizations', () => {
  const { rows, customers } = seedOrganizations(600, now);
  expect(customers).toHaveLength(600);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows.every(({ id }) => /^[a-z0-9_-]+$/.test(id))).toBe(true);
  const ids = new Set(rows.map(({ id }) => id));
  expect(rows.every(({ id, parent, path }) => path.at(-1) === id && (parent == null || ids.has(parent)))).toBe(true);
  expect(rows.filter(({ parent }) => parent !== null).length).toBeGreaterThan(40);
});

test('the demo has users in every role, one of them suspended, and each has an account', () => {
  const { users, memberships, activity, signIns } = seedColleagues(now);
  expect(memberships).toHaveLength(12);
  expect(new Set(memberships.flatMap(({ roles }) => roles))).toEqual(
    new Set(['administrator', 'operator', 'viewer', 'installer', 'developer']),
  );
  expect(memberships.filter(({ suspendedAt }) => suspendedAt !== null)).toHaveLength(1);
  const ids = new Set([...users, ...demoPeople].map(({ id }) => id));
  expect(ids.size).toBe(users.length + demoPeople.length);
  expect([...memberships, ...activity, ...signIns].filter(({ userId }) => !ids.has(userId))).toEqual([]);
});

describe('a seeded database', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(now);
  });
  afterAll(() => database.close());

  test('is seeded once', async () => {
    expect(await seedDatabase(database, { size: 'small', now, secrets })).toBe(true);
    expect(await seedDatabase(database, { size: 'small', now, secrets })).toBe(false);
    const { rows } = await database.pool.query(`select id from app_user order by id`);
    expect(rows).toHaveLength(demoPeople.length);
  });

  test("stores each device's newest message and starts counters after the seeded ids", async () => {
    const { rows } = await database.pool.query(`
      select count(*)::int as wrong from device d
       where last_message_id is distinct from (
         select id from message m where m.organization = d.organization and m.number = d.number
          order by received_at desc limit 1)`);
    expect(rows).toEqual([{ wrong: 0 }]);
    const { rows: counters } = await database.pool.query(
      `select value = (select max(id) from tag where organization = 'northwind') as right
         from counter where organization = 'northwind' and noun = 'tag'`,
    );
    expect(counters).toEqual([{ right: true }]);
  });
});

describe('a database seeded with values', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(now);
    await seedDatabase(database, { size: 'small', devices: 400, values: true, now, secrets });
  });
  afterAll(() => database.close());

  const row = async (query: string) => (await database.pool.query<Record<string, unknown>>(query)).rows[0];

  test('has a value for each declared field of each message that can be parsed', async () => {
    expect(
      await row(`
        select count(*)::int as wrong from message m join parser_device d using (organization, number)
         where (select count(*) from value v where v.organization = m.organization and v.number = m.number
             and v.time = m.sent_at and v.message = m.id)
           <> case when m.parsed -> 0 ? 'result'
             then (select count(*) from parser_field f where f.parser = d.parser) else 0 end`),
    ).toEqual({ wrong: 0 });
    expect(await row(`select count(*) > 0 as broken from message where parsed -> 0 ? 'error'`)).toEqual({
      broken: true,
    });
    expect(
      await row(
        `select count(*) between 1 and 20 as failures from event where type = ${EventType.MESSAGE_CANNOT_BE_PARSED}`,
      ),
    ).toEqual({ failures: true });
    expect(await row(`select count(*)::int as wrong from value where numeric is null and text is null`)).toEqual({
      wrong: 0,
    });
  });

  test('has the newest value of each field, and a week of history', async () => {
    expect(
      await row(`
        select count(*)::int as wrong from latest_value l where (l.time, l.message) is distinct from (
          select (v.time, v.message) from value v
           where v.organization = l.organization and v.number = l.number and v.field = l.field
             and v.operational = l.operational
           order by v.time desc, v.message desc limit 1)`),
    ).toEqual({ wrong: 0 });
    expect(
      await row(`select '${now.toISOString()}'::timestamptz - min(time) > interval '6 days' as week from value`),
    ).toEqual({ week: true });
  });

  test('has a process point for every part of a well, with devices that have moved', async () => {
    expect(
      await row(`
        select count(*)::int as wrong from device d where organization = 'northwind' and type <> 2 and lifecycle <> 8
           and not exists (select 1 from process_point_device l
             where l.organization = d.organization and l.number = d.number)`),
    ).toEqual({ wrong: 0 });
    expect(
      await row(`
        select count(*) > 10 as moved from process_point_device former join process_point_device current
            using (organization, number)
         where former.until = current.since and former.point <> current.point and current.until is null`),
    ).toEqual({ moved: true });
    expect(await row(`select count(*)::int as types from (select distinct type from process_point) as t`)).toEqual({
      types: 8,
    });
  });
});

test('some devices have the notes of a guide, and some have notes by several people', () => {
  const fleet = buildFleet('northwind', 200, createNumberSource(), now);
  const notes = seedNotes(fleet, ['anna', 'kofi', 'lena'], now);
  expect(notes).toEqual(seedNotes(fleet, ['anna', 'kofi', 'lena'], now));
  const byDevice = groupBy(notes, ({ number }) => number);
  expect(byDevice.size).toBeLessThan(fleet.devices.length);
  for (const deviceNotes of byDevice.values()) {
    expect(deviceNotes.map(({ id }) => id)).toEqual(deviceNotes.map((_note, index) => index + 1));
  }
  const guides = [...byDevice.values()].filter((deviceNotes) => deviceNotes.some(({ guide }) => guide));
  expect(guides.length).toBeGreaterThan(10);
  expect(new Set(notes.map(({ author }) => author)).size).toBe(3);
  expect(notes.some(({ messageHistory = [] }) => messageHistory.length > 0)).toBe(true);
  expect(notes.every(({ time }) => time < now)).toBe(true);
});

// Tests that the stored device counts per tag always equal the actual counts, whatever changes them.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Modem_Lifecycle, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import type { Database, Tx } from '#server/db/database.ts';
import { mergeStoredCounts } from '#server/db/merge-stored-counts.ts';
import { migrate } from '#server/db/migrate/migrate.ts';
import { DEMO_ORGANIZATION as organization } from '#server/demo/seed/people.ts';
import { type Random, createRandom } from '#server/demo/seed/random.ts';
import { defaultHealthLevels, HEALTHY } from '#server/domains/people/organization/default-health-levels.ts';
import { openEarlierDatabase } from '#server/testkit/database.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const WORKERS = 6;
const CHANGES_PER_WORKER = 60;

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const STORED_COUNTS = sql`select organization, tag::int, lifecycle, health_level, sum(devices)::int as devices
  from tag_device_count group by 1, 2, 3, 4 having sum(devices) <> 0 order by 1, 2, 3, 4`;
const ACTUAL_COUNTS = sql`select organization, tag::int, lifecycle, health_level, count(*)::int as devices
  from device_tag join device using (organization, number) group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

async function expectExactCounts({ orm }: Database = t.app.db): Promise<Record<string, unknown>[]> {
  const { rows: actual } = await orm.execute(ACTUAL_COUNTS);
  const { rows: storedCounts } = await orm.execute(STORED_COUNTS);
  expect(storedCounts).toEqual(actual);
  return storedCounts;
}

const column = async (query: ReturnType<typeof sql>): Promise<string[]> =>
  (await t.app.db.orm.execute<{ value: string }>(query)).rows.map(({ value }) => value);

/** Makes a random change the way the services do, locking devices in number order. */
async function change(tx: Tx, random: Random, numbers: string[], tags: string[]): Promise<void> {
  const someNumbers = random.shuffle(numbers).slice(0, random.integer(1, 12));
  const devices = sql`organization = ${organization} and number = any(${sql.param(someNumbers)}::text[])`;
  const someTags = sql`${sql.param(random.shuffle(tags).slice(0, 2))}::bigint[]`;
  const lock = () => tx.execute(sql`select from device where ${devices} order by number for update`);
  switch (random.integer(0, 5)) {
    case 0:
      await lock();
      await tx.execute(sql`update device set lifecycle = ${random.integer(0, 9)} where ${devices}`);
      break;
    case 1:
      await lock();
      await tx.execute(
        sql`update device set health_level = ${random.pick(defaultHealthLevels).level} where ${devices}`,
      );
      break;
    case 2:
    case 3:
      await tx.execute(sql`insert into device_tag (organization, number, tag) select organization, number, tag
        from (select * from device where ${devices} order by number) as item cross join unnest(${someTags}) as tag
        on conflict do nothing`);
      break;
    case 4:
      await tx.execute(sql`delete from device_tag where ${devices} and tag = any(${someTags})`);
      break;
    default:
      await tx.execute(sql`update device set name = name || '+' where ${devices} and number = ${someNumbers[0] ?? ''}`);
  }
}

test('the counts stay exact during random concurrent changes and rollbacks', async () => {
  const numbers = await column(sql`select number as value from device where organization = ${organization}`);
  const tags = await column(sql`select id::text as value from tag where organization = ${organization}`);
  const rollback = new Error('Rolled back.');
  const makeChanges = async (name: string) => {
    const random = createRandom(name);
    for (let remaining = CHANGES_PER_WORKER; remaining > 0; remaining -= 1) {
      if (random.chance(0.05)) await mergeStoredCounts(t.app.db.orm);
      await t.app.db
        .transaction(async (tx) => {
          await change(tx, random, numbers, tags);
          if (random.chance(0.2)) throw rollback;
        })
        .catch((error: unknown) => {
          if (error !== rollback) throw error;
        });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, index) => makeChanges(`worker ${index}`)));
  const before = await expectExactCounts();
  await mergeStoredCounts(t.app.db.orm);
  expect(await expectExactCounts()).toEqual(before);
  const { rows } = await t.app.db.orm.execute(sql`select from tag_device_count`);
  expect(rows).toHaveLength(before.length);
});

test('the counts are updated when a level is renamed, or a device, tag, or organization is deleted', async () => {
  const { orm } = t.app.db;
  await orm.execute(
    sql`update health_level set level = 'Renamed' where organization = ${organization} and level = ${HEALTHY}`,
  );
  expect(await expectExactCounts()).toContainEqual(expect.objectContaining({ organization, health_level: 'Renamed' }));

  await orm.execute(sql`delete from device where organization = ${organization} and number in (
    select number from device_tag where organization = ${organization} order by number limit 3)`);
  await expectExactCounts();

  const { client } = t.as('administrator');
  const { tags } = await client(TagService).list({ modemCount: true });
  await client(TagService).delete({ id: tags[0]?.id ?? 0n });
  await expectExactCounts();

  const [child] = await column(sql`select id as value from organization where parent = ${organization} limit 1`);
  const rowsOf = () => orm.execute(sql`select from tag_device_count where organization = ${child}`);
  expect((await rowsOf()).rows.length).toBeGreaterThan(0);
  await client(OrganizationService).delete({ organizationToDelete: child ?? '' });
  await expectExactCounts();
  expect((await rowsOf()).rows).toEqual([]);
});

test('the services count exactly what each caller may see', async () => {
  await t.app.db.orm.execute(sql`update device set lifecycle = ${Modem_Lifecycle.DISABLED}
    where organization = ${organization} and number = (select min(number) from device_tag where organization = ${organization})`);
  for (const kind of ['viewer', 'support'] as const) {
    const { client } = t.as(kind);
    const { tags } = await client(ModemService).tagCount({ organization });
    const { tagModemCount } = await client(TagService).list({ organization, modemCount: true });
    const { tagHealth } = await client(TagService).health({ organization, modemCount: true });
    // Selecting every type explicitly bypasses the stored counts, so this counts the devices themselves.
    const actual = await client(ModemService).tagCount({ organization, selection: { includeTypes: [0, 2, 3, 4] } });
    expect(tags.map(({ modems }) => modems)).toEqual(actual.tags.map(({ modems }) => modems));
    const visibleCount = await t.app.db.orm.execute<{ count: number }>(sql`select count(*)::int from device_tag
      join device using (organization, number) where organization = ${organization}
      and ${kind === 'support' ? sql`true` : sql`lifecycle not in (0, 4, 5, 7)`}`);
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    expect(sum(Object.values(tagModemCount))).toBe(visibleCount.rows[0]?.count);
    expect(sum(tagHealth.map(({ modemCount }) => modemCount))).toBe(visibleCount.rows[0]?.count);
  }
});

test('a level that no device of a tag has anymore is left out, even before the stored rows are merged', async () => {
  const { client } = t.as('viewer');
  const health = async () => (await client(TagService).health({ modemCount: true })).tagHealth;
  const [first] = await health();
  const id = first?.tag?.id ?? 0n;
  await t.app.db.orm.execute(sql`delete from device_tag where organization = ${organization} and tag = ${id}`);
  const { rows } = await t.app.db.orm.execute(sql`
    select devices from tag_device_count where organization = ${organization} and tag = ${id} and devices < 0`);
  expect(rows.length).toBeGreaterThan(0);
  const remaining = await health();
  expect(remaining.length).toBeGreaterThan(0);
  expect(remaining.filter(({ tag }) => tag?.id === id)).toEqual([]);
});

test('the migration counts the devices of an existing database', async () => {
  const db = await openEarlierDatabase('0014_tag_order');
  await db.pool.query(`
    insert into organization (id, path, display_name) values ('acme', '{acme}', 'Acme');
    insert into health_level (organization, level, severity, catch_all, color_data) values ('acme', 'OK', 1, true, '{}');
    insert into device (organization, number, name, lifecycle, health_level)
      values ('acme', '00C0 FFEE', 'One', 1, 'OK'), ('acme', '00C0 FFEF', 'Two', 1, 'OK'), ('acme', '00C0 FFF0', 'Three', 3, 'OK');
    insert into tag (organization, id, name, type) values ('acme', 1, 'North', 'site'), ('acme', 2, 'South', 'site');
    insert into device_tag (organization, number, tag) select 'acme', number, 1 from device`);
  await migrate(db, new Date());
  expect(await expectExactCounts(db)).toHaveLength(2);
  await db.close();
});

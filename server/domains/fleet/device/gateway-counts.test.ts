// Tests that the stored device counts per gateway always equal the actual counts, whatever changes them.
import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Filter_ChildOrganizationsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { Modem_Lifecycle, Modem_Type, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import type { Database, Tx } from '#server/db/database.ts';
import { mergeStoredCounts } from '#server/db/merge-stored-counts.ts';
import { migrate } from '#server/db/migrate/migrate.ts';
import { DEMO_ORGANIZATION as organization } from '#server/demo/seed/people.ts';
import { type Random, createRandom } from '#server/demo/seed/random.ts';
import { openEarlierDatabase } from '#server/testkit/database.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

const WORKERS = 4;
const CHANGES_PER_WORKER = 60;

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const STORED_COUNTS = sql`select organization, gateway, lifecycle, sum(devices)::int as devices
  from gateway_device_count group by 1, 2, 3 having sum(devices) <> 0 order by 1, 2, 3`;
const ACTUAL_COUNTS = sql`select organization, gateway, lifecycle, count(*)::int as devices
  from device where gateway is not null group by 1, 2, 3 order by 1, 2, 3`;

async function expectExactCounts({ orm }: Database = t.app.db): Promise<Record<string, unknown>[]> {
  const { rows: actual } = await orm.execute(ACTUAL_COUNTS);
  const { rows: storedCounts } = await orm.execute(STORED_COUNTS);
  expect(storedCounts).toEqual(actual);
  return storedCounts;
}

const column = async (query: ReturnType<typeof sql>): Promise<string[]> =>
  (await t.app.db.orm.execute<{ value: string }>(query)).rows.map(({ value }) => value);

/** Makes a random change the way the services do, locking devices in number order. */
async function change(tx: Tx, random: Random, numbers: readonly string[], gateways: readonly string[]): Promise<void> {
  const someNumbers = random.shuffle(numbers).slice(0, random.integer(1, 12));
  const devices = sql`organization = ${organization} and number = any(${sql.param(someNumbers)}::text[])`;
  await tx.execute(sql`select from device where ${devices} order by number for update`);
  switch (random.integer(0, 5)) {
    case 0:
      await tx.execute(sql`update device set lifecycle = ${random.integer(0, 9)} where ${devices}`);
      break;
    case 1:
      await tx.execute(sql`update device set gateway = ${random.pick(gateways)} where ${devices}`);
      break;
    case 2:
      await tx.execute(sql`update device set gateway = null where ${devices}`);
      break;
    case 3:
      await tx.execute(sql`insert into device (organization, number, name, lifecycle, health_level, gateway)
        select organization, upper(md5(random()::text)), name, lifecycle, health_level, gateway from device where ${devices}`);
      break;
    case 4:
      await tx.execute(sql`delete from device where ${devices} and number = ${someNumbers[0] ?? ''}`);
      break;
    default:
      await tx.execute(sql`update device set name = name || '+' where ${devices}`);
  }
}

test('the groups without a selection have the total that counting their devices gives', async () => {
  await t.app.db.orm.execute(sql`update device set lifecycle = ${Modem_Lifecycle.DISABLED}
    where organization = ${organization} and number = (
      select min(number) from device where organization = ${organization} and gateway is not null and lifecycle = 1)`);
  for (const kind of ['viewer', 'support'] as const) {
    for (const childOrganizations of [undefined, create(Filter_ChildOrganizationsSchema, { includeAll: true })]) {
      const { client } = t.as(kind);
      const total = async (includeTypes: Modem_Type[]) =>
        (
          await client(ModemService).grouped({
            groups: { organization },
            groupContent: { organization, childOrganizations, selection: { includeTypes } },
          })
        ).total?.content ?? 0;
      const storedTotal = await total([]);
      expect(storedTotal).toBeGreaterThan(0);
      // Selecting every type explicitly bypasses the stored counts, so this counts the devices themselves.
      expect(storedTotal).toBe(await total(Object.values(Modem_Type)));
    }
  }
});

test('the counts stay exact during random concurrent changes and rollbacks', async () => {
  const numbers = await column(sql`select number as value from device where organization = ${organization}`);
  const gateways = ['0000 0000', ...numbers.slice(0, 5)];
  const rollback = new Error('Rolled back.');
  const makeChanges = async (name: string) => {
    const random = createRandom(name);
    for (let remaining = CHANGES_PER_WORKER; remaining > 0; remaining -= 1) {
      if (random.chance(0.05)) await mergeStoredCounts(t.app.db.orm);
      await t.app.db
        .transaction(async (tx) => {
          await change(tx, random, numbers, gateways);
          if (random.chance(0.2)) throw rollback;
        })
        .catch((error: unknown) => {
          if (error !== rollback) throw error;
        });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, index) => makeChanges(`worker ${index}`)));
  const before = await expectExactCounts();
  expect(before.map((row) => row['gateway'])).toContain('0000 0000');
  await mergeStoredCounts(t.app.db.orm);
  expect(await expectExactCounts()).toEqual(before);
  const { rows } = await t.app.db.orm.execute(sql`select from gateway_device_count`);
  expect(rows).toHaveLength(before.length);
});

test('the counts of an organization are deleted with it', async () => {
  const [child] = await column(sql`
    select id as value from organization where parent = ${organization} and exists (
      select from device where device.organization = organization.id and gateway is not null) limit 1`);
  const rowsOf = () => t.app.db.orm.execute(sql`select from gateway_device_count where organization = ${child}`);
  expect((await rowsOf()).rows.length).toBeGreaterThan(0);
  await t
    .as('administrator')
    .client(OrganizationService)
    .delete({ organizationToDelete: child ?? '' });
  await expectExactCounts();
  expect((await rowsOf()).rows).toEqual([]);
});

test('the migration counts the devices of an existing database', async () => {
  const db = await openEarlierDatabase('0023_list_order');
  await db.pool.query(`
    insert into organization (id, path, display_name) values ('acme', '{acme}', 'Acme');
    insert into health_level (organization, level, severity, catch_all, color_data) values ('acme', 'OK', 1, true, '{}');
    insert into device (organization, number, name, lifecycle, health_level, gateway)
      values ('acme', '00C0 FFEE', 'One', 1, 'OK', null), ('acme', '00C0 FFEF', 'Two', 1, 'OK', '00C0 FFEE'),
        ('acme', '00C0 FFF0', 'Three', 3, 'OK', '00C0 FFEE'), ('acme', '00C0 FFF1', 'Four', 3, 'OK', '00C0 FFEE')`);
  await migrate(db, new Date());
  expect(await expectExactCounts(db)).toHaveLength(2);
  await db.close();
});

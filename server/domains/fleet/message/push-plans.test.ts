// Tests how much the database reads for a message, once it uses the same plans for messages of all organizations.
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { DEMO_ORGANIZATION } from '#server/demo/seed/people.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

/** Devices of the organization, and other organizations, each with one device. */
const [DEVICES, ORGANIZATIONS] = [3000, 1000];
/** Connections have a plan for all values after five calls. */
const WARM_UP = 12;
const MESSAGES = 5;

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  const { orm } = t.app.db;
  // Copies a row of the organization with other keys.
  const copy = async (table: string, count: number, keys: SQL, column = 'organization') => {
    const name = sql.identifier(table);
    await orm.execute(sql`
      insert into ${name} select (jsonb_populate_record(null::${name}, to_jsonb(original) || ${keys})).*
        from (select * from ${name} where ${sql.identifier(column)} = ${DEMO_ORGANIZATION} limit 1) as original
       cross join generate_series(1, ${count}) as copy`);
  };
  await copy('organization', ORGANIZATIONS, sql`jsonb_build_object('id', 'copy-' || copy)`, 'id');
  await orm.execute(sql`
    insert into health_level select (jsonb_populate_record(null::health_level, to_jsonb(original) ||
        jsonb_build_object('organization', 'copy-' || copy))).*
      from health_level as original cross join generate_series(1, ${ORGANIZATIONS}) as copy
     where organization = ${DEMO_ORGANIZATION}`);
  await copy(
    'device',
    DEVICES,
    sql`jsonb_build_object('number', 'A000 ' || lpad(copy::text, 4, '0'), 'lifecycle', ${Modem_Lifecycle.INSTALLED}::int)`,
  );
  await copy(
    'device',
    ORGANIZATIONS,
    sql`jsonb_build_object('number', 'B000 ' || lpad(copy::text, 4, '0'), 'organization', 'copy-' || copy, 'gateway', null)`,
  );
  await t.app.db.pool.query('analyze');
});
afterAll(() => t.close());

const numberOf = (index: number) => `A000 ${String(index).padStart(4, '0')}`;
const push = (number: string) =>
  t
    .as('administrator')
    .client(TestingService)
    .pushModemMessages({ messages: [{ modemNumber: number, content: new Uint8Array([1]) }] });

async function rowsRead(): Promise<number> {
  await t.app.db.orm.execute(sql`select pg_stat_force_next_flush()`);
  await t.app.db.orm.execute(sql`select 1`);
  const { rows } = await t.app.db.orm.execute<{ rows: string }>(sql`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows from pg_stat_user_tables where relname = 'device'`);
  return Number(rows[0]?.rows);
}

test('a message reads few devices in a large organization among many small ones', async () => {
  for (let index = 1; index <= WARM_UP; index += 1) await push(numberOf(index));
  const before = await rowsRead();
  for (let index = 1; index <= MESSAGES; index += 1) await push(numberOf(index));
  const count = (await rowsRead()) - before;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(20 * MESSAGES);
});

import { afterAll, beforeAll, expect, test } from 'vitest';

import { DeviceService, Sort } from '#proto/gen/hiber/device_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const WELLS = 300;

// The planner chooses nested loops for tables without statistics, which would take minutes here.
test('sorts by well quickly even if the database has no statistics on thousands of new tags', async () => {
  const { pool } = t.app.db;
  await pool.query(
    `insert into tag (organization, id, name, type)
     select 'northwind', 5000 + n, 'Well ' || n, 'well' from generate_series(1, $1) n`,
    [WELLS],
  );
  await pool.query(
    `insert into device_tag (organization, number, tag)
     select organization, number, 5000 + n from device, generate_series(1, $1) n where organization = 'northwind'`,
    [WELLS],
  );
  await pool.query(`insert into tag (organization, id, name, type) values ('northwind', 4999, 'A well', 'well')`);
  const listNumbers = async (sortBy: Sort[]) =>
    (await t.as('administrator').client(DeviceService).list({ sortBy })).devices.map(({ number }) => number);
  const last = (await listNumbers([Sort.DEVICE_NUMBER_ASC])).at(-1) as string;
  await pool.query(`insert into device_tag (organization, number, tag) values ('northwind', $1, 4999)`, [last]);
  const numbersByWell = await listNumbers([
    Sort.TAG_TYPE_WELL_ASC,
    Sort.TAG_TYPE_SITE_ASC,
    Sort.TAG_TYPE_PRODUCTION_AREA_ASC,
  ]);
  expect(numbersByWell[0]).toBe(last);
  expect(numbersByWell).toHaveLength((await listNumbers([])).length);
});

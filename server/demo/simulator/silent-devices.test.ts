import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createQuiet } from './silent-devices.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

async function silentDevices(): Promise<string[]> {
  const { rows } = await t.app.db.orm.execute<{ number: string }>(
    sql`select number from device_condition where organization = 'northwind' and source = 'inactivity'`,
  );
  return rows.map(({ number }) => number);
}

test('one comes back for one that falls silent, until too many have come back', async () => {
  const quiet = createQuiet(t.app.db);
  await quiet.load();
  const silent = await silentDevices();
  const back = await quiet.change('northwind');
  expect(silent).toContain(back?.number);
  expect(quiet.numbers('northwind')).toHaveLength(1);
  expect(silent).not.toContain(quiet.numbers('northwind')[0]);

  await t.app.db.orm.execute(sql`delete from device_condition
    where organization = 'northwind' and number = ${back?.number} and source = 'inactivity'`);
  expect(await quiet.change('northwind')).toBeUndefined();

  const restarted = createQuiet(t.app.db);
  await restarted.load();
  expect(restarted.numbers('northwind')).toEqual(quiet.numbers('northwind'));
});

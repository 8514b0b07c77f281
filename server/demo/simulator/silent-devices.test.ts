import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { createSilentDevices } from './silent-devices.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

async function readSilentNumbers(): Promise<string[]> {
  const { rows } = await t.app.db.orm.execute<{ number: string }>(
    sql`select number from device_condition where organization = 'northwind' and source = 'inactivity'`,
  );
  return rows.map(({ number }) => number);
}

test('one device recovers for each one that falls silent, until too few are left silent', async () => {
  const silentDevices = createSilentDevices(t.app.db);
  await silentDevices.load();
  const silentNumbers = await readSilentNumbers();
  const recoveredDevice = await silentDevices.exchange('northwind');
  expect(silentNumbers).toContain(recoveredDevice?.number);
  expect(silentDevices.numbers('northwind')).toHaveLength(1);
  expect(silentNumbers).not.toContain(silentDevices.numbers('northwind')[0]);

  await t.app.db.orm.execute(sql`delete from device_condition
    where organization = 'northwind' and number = ${recoveredDevice?.number} and source = 'inactivity'`);
  expect(await silentDevices.exchange('northwind')).toBeUndefined();

  const restartedSimulation = createSilentDevices(t.app.db);
  await restartedSimulation.load();
  expect(restartedSimulation.numbers('northwind')).toEqual(silentDevices.numbers('northwind'));
});

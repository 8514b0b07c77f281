/** Helpers shared by the simulation tests. */
import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';

import type { TestServer } from './server.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** Selects devices by number. */
export const modemSelection = (...include: string[]) => ({ modems: { include } });
export const hours = (count: number) => ({ duration: { seconds: BigInt(count * 3600) } });
export const invalid = (sentence: string) => ({
  code: Code.InvalidArgument,
  rawMessage: expect.stringContaining(sentence),
});

/** Returns the numbers of ten devices, sorted. */
export async function readNumbers(t: TestServer): Promise<[string, string, ...string[]]> {
  const { devices } = await t
    .as('administrator')
    .client(DeviceService)
    .list({ pagination: { size: 10 } });
  return devices.map(({ number }) => number).toSorted() as [string, string, ...string[]];
}

export async function deleteSimulations(t: TestServer): Promise<void> {
  for (const table of ['message_simulation', 'value_simulation', 'location_simulation', 'simulation']) {
    await t.app.db.orm.execute(sql`delete from ${sql.identifier(table)}`);
  }
}

/** Adds devices with the health level of a known device. */
export const addDevices = (t: TestServer, knownNumber: string, count: number) =>
  t.app.db.orm.execute(sql`
    insert into device (organization, number, name, type, lifecycle, health_level)
    select 'northwind', to_char(n, 'FM0000') || ' FFFF', '', 3, 1, health_level
      from (select health_level from device where number = ${knownNumber}) as known
      cross join generate_series(1, ${count}::int) as n`);

export const removeAddedDevices = (t: TestServer) =>
  t.app.db.orm.execute(sql`delete from device where number like '____ FFFF' and name = ''`);

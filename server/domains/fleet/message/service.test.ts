import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
const ORGANIZATION = 'northwind';

beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

const messages = () => t.as('administrator').client(MessageService);
const testing = () => t.as('administrator').client(TestingService);

async function findDevice(condition = sql`true`): Promise<string> {
  const { rows } = await t.app.db.orm.execute<{ number: string }>(
    sql`select number from device where organization = ${ORGANIZATION} and ${condition} order by number limit 1`,
  );
  return rows[0]!.number;
}

async function readDevice(number: string) {
  const { rows } = await t.app.db.orm.execute<{ lifecycle: number; health_level: string; latitude: number | null }>(
    sql`select lifecycle, health_level, latitude from device where organization = ${ORGANIZATION} and number = ${number}`,
  );
  return rows[0]!;
}

const selectDevice = (number: string) => ({ modemSelection: { modems: { include: [number] } } });

test("lists a pushed message as a test, with times in the device's time zone", async () => {
  const number = await findDevice(sql`time_zone = 'Europe/Amsterdam' and lifecycle = 1`);
  const content = Uint8Array.of(1, 0xab);
  const time = { textual: '2026-07-01T10:00:00Z' };
  await testing().pushModemMessages({ messages: [{ modemNumber: number, content, time, metadata: { fPort: 3 } }] });
  const range = { start: { textual: '-1h' }, end: { textual: '2026-07-01T10:30:00Z' } };
  const { messages: listedMessages, pagination } = await messages().list({
    selection: { ...selectDevice(number), timeRange: range },
  });
  expect(listedMessages).toHaveLength(1);
  expect(listedMessages[0]).toMatchObject({
    modemNumber: number,
    isTest: true,
    bodyBytes: { hex: '01AB' },
    sentAt: { textual: '2026-07-01T12:00:00+02:00', timeZone: 'Europe/Amsterdam' },
    metadata: { fPort: 3 },
  });
  expect(pagination).toMatchObject({ total: 1, approximatedTotal: false });
});

test('counts messages per day in the requested time zone', async () => {
  const number = await findDevice(sql`lifecycle = 1`);
  const times = ['2026-06-01T22:30:00Z', '2026-06-01T12:00:00Z'];
  await testing().pushModemMessages({ messages: times.map((textual) => ({ modemNumber: number, time: { textual } })) });
  const selection = {
    ...selectDevice(number),
    timeRange: { start: { textual: '2026-06-01' }, end: { textual: '2026-06-02' } },
  };
  const countByDay = async (zone: { timeZone?: string; timeZoneOffset?: number }) =>
    (await messages().count({ selection, ...zone })).messageCountPerDay.map(({ date, count }) => [
      date?.textual,
      count,
    ]);
  expect(await countByDay({})).toEqual([['2026-06-01', 2]]);
  const perDay = [
    ['2026-06-01', 1],
    ['2026-06-02', 1],
  ];
  expect(await countByDay({ timeZone: 'Europe/Amsterdam' })).toEqual(perDay);
  expect(await countByDay({ timeZoneOffset: 2 })).toEqual(perDay);
});

test('a message ends inactivity and a pause, and updates the location and health of the device', async () => {
  const number = await findDevice(
    sql`exists (select 1 from device_condition c where c.organization = device.organization and c.number = device.number
      and c.source = 'inactivity')`,
  );
  await t.app.db.orm.execute(
    sql`update device set lifecycle = ${Modem_Lifecycle.PAUSED} where organization = ${ORGANIZATION} and number = ${number}`,
  );
  const location = { latitude: 53.1, longitude: 6.5 };
  await testing().pushModemMessages({ messages: [{ modemNumber: number, location }] });
  expect(await readDevice(number)).toEqual({
    lifecycle: Modem_Lifecycle.INSTALLED,
    health_level: 'Healthy',
    latitude: 53.1,
  });
});

test('rejects an unknown device and stores nothing', async () => {
  const number = await findDevice(sql`lifecycle = 1`);
  const before = (await messages().list({ selection: selectDevice(number) })).pagination?.total;
  const call = testing().pushModemMessages({ messages: [{ modemNumber: number }, { modemNumber: 'FFFF FFFF' }] });
  await expect(call).rejects.toThrow('FFFF FFFF');
  expect((await messages().list({ selection: selectDevice(number) })).pagination?.total).toBe(before);
});
